module @jit_training attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<12x16x64xf32>, %arg2: tensor<12x64x16xf32>) -> (tensor<12x16x64xf32> {jax.result_info = "result[0]"}, tensor<12x64x16xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12x8x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12x8x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12x8x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12x8x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<12x8x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<12x8x64xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<12x8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<12x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9:13 = stablehlo.while(%iterArg = %arg1, %iterArg_12 = %arg2, %iterArg_13 = %c, %iterArg_14 = %arg0, %iterArg_15 = %0, %iterArg_16 = %1, %iterArg_17 = %2, %iterArg_18 = %3, %iterArg_19 = %4, %iterArg_20 = %5, %iterArg_21 = %6, %iterArg_22 = %7, %iterArg_23 = %8) : tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>
    cond {
      %c_24 = stablehlo.constant dense<12> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_13, %c_24, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_13) : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %15 = func.call @dynamic_index_in_dim_0(%iterArg_12, %iterArg_13) : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %16:10 = func.call @closed_call(%iterArg_14, %14, %15) : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
      %17 = func.call @dynamic_update_index_in_dim(%iterArg_15, %16#1, %iterArg_13) : (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>
      %18 = func.call @dynamic_update_index_in_dim_1(%iterArg_16, %16#2, %iterArg_13) : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %19 = func.call @dynamic_update_index_in_dim_1(%iterArg_17, %16#3, %iterArg_13) : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %20 = func.call @dynamic_update_index_in_dim_1(%iterArg_18, %16#4, %iterArg_13) : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %21 = func.call @dynamic_update_index_in_dim_1(%iterArg_19, %16#5, %iterArg_13) : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %22 = func.call @dynamic_update_index_in_dim_1(%iterArg_20, %16#6, %iterArg_13) : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %23 = func.call @dynamic_update_index_in_dim_1(%iterArg_21, %16#7, %iterArg_13) : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %24 = func.call @dynamic_update_index_in_dim(%iterArg_22, %16#8, %iterArg_13) : (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>
      %25 = func.call @dynamic_update_index_in_dim(%iterArg_23, %16#9, %iterArg_13) : (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.add %iterArg_13, %c_24 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_12, %26, %16#0, %17, %18, %19, %20, %21, %22, %23, %24, %25 : tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>
    }
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<12x16x64xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<12x64x16xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %13:15 = stablehlo.while(%iterArg = %arg1, %iterArg_12 = %9#4, %iterArg_13 = %9#5, %iterArg_14 = %9#6, %iterArg_15 = %9#7, %iterArg_16 = %9#8, %iterArg_17 = %9#9, %iterArg_18 = %arg2, %iterArg_19 = %9#10, %iterArg_20 = %9#11, %iterArg_21 = %9#12, %iterArg_22 = %c_11, %iterArg_23 = %10, %iterArg_24 = %11, %iterArg_25 = %12) : tensor<12x16x64xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x64x16xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>
    cond {
      %c_26 = stablehlo.constant dense<12> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_22, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %c_26 = stablehlo.constant dense<12> : tensor<i32>
      %14 = stablehlo.subtract %c_26, %iterArg_22 : tensor<i32>
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.subtract %14, %c_27 : tensor<i32>
      %16 = func.call @dynamic_index_in_dim(%iterArg, %15) : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %17 = func.call @dynamic_index_in_dim_2(%iterArg_12, %15) : (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %18 = func.call @dynamic_index_in_dim_3(%iterArg_13, %15) : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %19 = func.call @dynamic_index_in_dim_3(%iterArg_14, %15) : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %20 = func.call @dynamic_index_in_dim_3(%iterArg_15, %15) : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %21 = func.call @dynamic_index_in_dim_3(%iterArg_16, %15) : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %22 = func.call @dynamic_index_in_dim_3(%iterArg_17, %15) : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %23 = func.call @dynamic_index_in_dim_0(%iterArg_18, %15) : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %24 = func.call @dynamic_index_in_dim_3(%iterArg_19, %15) : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %25 = func.call @dynamic_index_in_dim_2(%iterArg_20, %15) : (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %26 = func.call @dynamic_index_in_dim_2(%iterArg_21, %15) : (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %27:3 = func.call @closed_call_4(%iterArg_23, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26) : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<64x16xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>)
      %28 = func.call @dynamic_update_index_in_dim_5(%iterArg_24, %27#1, %15) : (tensor<12x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<12x16x64xf32>
      %29 = func.call @dynamic_update_index_in_dim_6(%iterArg_25, %27#2, %15) : (tensor<12x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<12x64x16xf32>
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %30 = stablehlo.add %iterArg_22, %c_28 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %30, %27#0, %28, %29 : tensor<12x16x64xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x64x16xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>
    }
    return %13#13, %13#14 : tensor<12x16x64xf32>, tensor<12x64x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<12x16x64xf32>, %arg1: tensor<i32>) -> tensor<16x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 64] : (tensor<12x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    return %1 : tensor<16x64xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<12x64x16xf32>, %arg1: tensor<i32>) -> tensor<64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 16] : (tensor<12x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    return %1 : tensor<64x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x16xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<8x64xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<8x64xf32>
    %3 = stablehlo.multiply %0, %0 : tensor<8x64xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<8x64xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %7 = stablehlo.multiply %6, %2 : tensor<8x64xf32>
    %8 = stablehlo.add %0, %7 : tensor<8x64xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<8x64xf32>
    %11 = stablehlo.tanh %10 : tensor<8x64xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %13 = stablehlo.subtract %12, %11 : tensor<8x64xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %15 = stablehlo.add %14, %11 : tensor<8x64xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<8x64xf32>
    %18 = stablehlo.multiply %0, %17 : tensor<8x64xf32>
    %19 = stablehlo.dot_general %18, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    %20 = stablehlo.tanh %19 : tensor<8x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %22 = stablehlo.subtract %21, %20 : tensor<8x16xf32>
    %23 = stablehlo.add %arg0, %20 : tensor<8x16xf32>
    return %23, %arg0, %5, %11, %13, %17, %0, %18, %20, %22 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<12x8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<12x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x16xf32>
    return %1 : tensor<12x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<12x8x64xf32>, %arg1: tensor<8x64xf32>, %arg2: tensor<i32>) -> tensor<12x8x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x64xf32>) -> tensor<1x8x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x8x64xf32>, tensor<1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x64xf32>
    return %1 : tensor<12x8x64xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<12x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<12x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<12x8x64xf32>, %arg1: tensor<i32>) -> tensor<8x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 64] : (tensor<12x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x64xf32>) -> tensor<8x64xf32>
    return %1 : tensor<8x64xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<8x16xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<8x64xf32>, %arg4: tensor<8x64xf32>, %arg5: tensor<8x64xf32>, %arg6: tensor<8x64xf32>, %arg7: tensor<8x64xf32>, %arg8: tensor<64x16xf32>, %arg9: tensor<8x64xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) {
    %0 = stablehlo.multiply %arg0, %arg11 : tensor<8x16xf32>
    %1 = stablehlo.multiply %0, %arg10 : tensor<8x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
    %3 = stablehlo.dot_general %2, %arg9, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %5 = stablehlo.dot_general %2, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<64x16xf32>) -> tensor<8x64xf32>
    %6 = stablehlo.multiply %arg7, %5 : tensor<8x64xf32>
    %7 = stablehlo.multiply %5, %arg6 : tensor<8x64xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %9 = stablehlo.multiply %8, %6 : tensor<8x64xf32>
    %10 = stablehlo.multiply %9, %arg5 : tensor<8x64xf32>
    %11 = stablehlo.multiply %10, %arg4 : tensor<8x64xf32>
    %12 = stablehlo.add %10, %11 : tensor<8x64xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<8x64xf32>
    %15 = stablehlo.add %7, %14 : tensor<8x64xf32>
    %cst_1 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %17 = stablehlo.multiply %16, %14 : tensor<8x64xf32>
    %18 = stablehlo.multiply %17, %arg3 : tensor<8x64xf32>
    %19 = stablehlo.add %15, %18 : tensor<8x64xf32>
    %20 = stablehlo.dot_general %19, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %22 = stablehlo.dot_general %19, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<16x64xf32>) -> tensor<8x16xf32>
    %23 = stablehlo.add %arg0, %22 : tensor<8x16xf32>
    return %23, %21, %4 : tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<12x16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<i32>) -> tensor<12x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x16x64xf32>
    return %1 : tensor<12x16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<12x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<12x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x64x16xf32>
    return %1 : tensor<12x64x16xf32>
  }
}
