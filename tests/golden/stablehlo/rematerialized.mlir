module @jit_rematerialized attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<12x16x64xf32>, %arg2: tensor<12x64x16xf32>) -> (tensor<12x16x64xf32> {jax.result_info = "result[0]"}, tensor<12x64x16xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:5 = stablehlo.while(%iterArg = %arg1, %iterArg_4 = %arg2, %iterArg_5 = %c, %iterArg_6 = %arg0, %iterArg_7 = %0) : tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>
    cond {
      %c_8 = stablehlo.constant dense<12> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_5, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_5) : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %7 = func.call @dynamic_index_in_dim_0(%iterArg_4, %iterArg_5) : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %8:2 = func.call @closed_call(%iterArg_6, %6, %7) : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
      %9 = func.call @dynamic_update_index_in_dim(%iterArg_7, %8#1, %iterArg_5) : (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg_5, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_4, %10, %8#0, %9 : tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>
    }
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12x16x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12x64x16xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %5:7 = stablehlo.while(%iterArg = %1#4, %iterArg_4 = %arg1, %iterArg_5 = %arg2, %iterArg_6 = %c_3, %iterArg_7 = %2, %iterArg_8 = %3, %iterArg_9 = %4) : tensor<12x8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>
    cond {
      %c_10 = stablehlo.constant dense<12> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_6, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %c_10 = stablehlo.constant dense<12> : tensor<i32>
      %6 = stablehlo.subtract %c_10, %iterArg_6 : tensor<i32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.subtract %6, %c_11 : tensor<i32>
      %8 = func.call @dynamic_index_in_dim_1(%iterArg, %7) : (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %9 = func.call @dynamic_index_in_dim(%iterArg_4, %7) : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %10 = func.call @dynamic_index_in_dim_0(%iterArg_5, %7) : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %11:3 = func.call @closed_call_2(%iterArg_7, %8, %9, %10) : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>)
      %12 = func.call @dynamic_update_index_in_dim_3(%iterArg_8, %11#1, %7) : (tensor<12x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<12x16x64xf32>
      %13 = func.call @dynamic_update_index_in_dim_4(%iterArg_9, %11#2, %7) : (tensor<12x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<12x64x16xf32>
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.add %iterArg_6, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_4, %iterArg_5, %14, %11#0, %12, %13 : tensor<12x8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>
    }
    return %5#5, %5#6 : tensor<12x16x64xf32>, tensor<12x64x16xf32>
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
  func.func private @closed_call(%arg0: tensor<8x16xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %1 = stablehlo.multiply %0, %0 : tensor<8x64xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<8x64xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<8x64xf32>
    %5 = stablehlo.add %0, %4 : tensor<8x64xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<8x64xf32>
    %8 = stablehlo.tanh %7 : tensor<8x64xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %10 = stablehlo.add %9, %8 : tensor<8x64xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<8x64xf32>
    %13 = stablehlo.multiply %0, %12 : tensor<8x64xf32>
    %14 = stablehlo.dot_general %13, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    %15 = stablehlo.tanh %14 : tensor<8x16xf32>
    return %15, %arg0 : tensor<8x16xf32>, tensor<8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<12x8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<12x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x16xf32>
    return %1 : tensor<12x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<12x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<12x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<16x64xf32>, %arg3: tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) {
    %0:4 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg0 : tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<8x16xf32>
    %1 = stablehlo.dot_general %0#0, %0#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<8x64xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8x64xf32>
    %4 = stablehlo.multiply %1, %1 : tensor<8x64xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<8x64xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %8 = stablehlo.multiply %7, %3 : tensor<8x64xf32>
    %9 = stablehlo.add %1, %8 : tensor<8x64xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<8x64xf32>
    %12 = stablehlo.tanh %11 : tensor<8x64xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %14 = stablehlo.subtract %13, %12 : tensor<8x64xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %16 = stablehlo.add %15, %12 : tensor<8x64xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<8x64xf32>
    %19 = stablehlo.multiply %1, %18 : tensor<8x64xf32>
    %20 = stablehlo.dot_general %19, %0#2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    %21 = stablehlo.tanh %20 : tensor<8x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %23 = stablehlo.subtract %22, %21 : tensor<8x16xf32>
    %24 = stablehlo.multiply %0#3, %23 : tensor<8x16xf32>
    %25 = stablehlo.multiply %24, %21 : tensor<8x16xf32>
    %26 = stablehlo.add %24, %25 : tensor<8x16xf32>
    %27 = stablehlo.dot_general %26, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
    %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %29 = stablehlo.dot_general %26, %0#2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<64x16xf32>) -> tensor<8x64xf32>
    %30 = stablehlo.multiply %1, %29 : tensor<8x64xf32>
    %31 = stablehlo.multiply %29, %18 : tensor<8x64xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %33 = stablehlo.multiply %32, %30 : tensor<8x64xf32>
    %34 = stablehlo.multiply %33, %14 : tensor<8x64xf32>
    %35 = stablehlo.multiply %34, %12 : tensor<8x64xf32>
    %36 = stablehlo.add %34, %35 : tensor<8x64xf32>
    %cst_7 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<8x64xf32>
    %39 = stablehlo.add %31, %38 : tensor<8x64xf32>
    %cst_8 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x64xf32>
    %41 = stablehlo.multiply %40, %38 : tensor<8x64xf32>
    %42 = stablehlo.multiply %41, %6 : tensor<8x64xf32>
    %43 = stablehlo.add %39, %42 : tensor<8x64xf32>
    %44 = stablehlo.dot_general %43, %0#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
    %45 = stablehlo.transpose %44, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %46 = stablehlo.dot_general %43, %0#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<16x64xf32>) -> tensor<8x16xf32>
    return %46, %45, %28 : tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<12x16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<i32>) -> tensor<12x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x16x64xf32>
    return %1 : tensor<12x16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<12x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<12x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x64x16xf32>
    return %1 : tensor<12x64x16xf32>
  }
}
