"builtin.module"() <{sym_name = "jit_layers"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> tensor<8x16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg7: tensor<8x16xf32>, %arg8: tensor<12x16x64xf32>, %arg9: tensor<12x64x16xf32>):
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %30:4 = "stablehlo.while"(%arg8, %arg9, %29, %arg7) ({
    ^bb0(%arg14: tensor<12x16x64xf32>, %arg15: tensor<12x64x16xf32>, %arg16: tensor<i32>, %arg17: tensor<8x16xf32>):
      %36 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %37 = "stablehlo.compare"(%arg16, %36) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%37) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg10: tensor<12x16x64xf32>, %arg11: tensor<12x64x16xf32>, %arg12: tensor<i32>, %arg13: tensor<8x16xf32>):
      %31 = "func.call"(%arg10, %arg12) <{callee = @dynamic_index_in_dim}> : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %32 = "func.call"(%arg11, %arg12) <{callee = @dynamic_index_in_dim_0}> : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %33 = "func.call"(%arg13, %31, %32) <{callee = @closed_call}> : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
      %34 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %35 = "stablehlo.add"(%arg12, %34) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg10, %arg11, %35, %33) : (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>) -> ()
    }) : (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>) -> (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>)
    "func.return"(%30#3) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<12x16x64xf32>, %arg6: tensor<i32>):
    %25 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.dynamic_slice"(%arg5, %arg6, %25, %26) <{slice_sizes = array<i64: 1, 16, 64>}> : (tensor<12x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xf32>
    %28 = "stablehlo.reshape"(%27) : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    "func.return"(%28) : (tensor<16x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<12x64x16xf32>, %arg4: tensor<i32>):
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.dynamic_slice"(%arg3, %arg4, %21, %22) <{slice_sizes = array<i64: 1, 64, 16>}> : (tensor<12x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %24 = "stablehlo.reshape"(%23) : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    "func.return"(%24) : (tensor<64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<8x16xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<64x16xf32>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %1 = "stablehlo.multiply"(%0, %0) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %2 = "stablehlo.multiply"(%1, %0) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %3 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %5 = "stablehlo.multiply"(%4, %2) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %6 = "stablehlo.add"(%0, %5) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %7 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %9 = "stablehlo.multiply"(%8, %6) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %10 = "stablehlo.tanh"(%9) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %11 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %13 = "stablehlo.add"(%12, %10) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %14 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %16 = "stablehlo.multiply"(%15, %13) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %17 = "stablehlo.multiply"(%0, %16) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %18 = "stablehlo.dot_general"(%17, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    %19 = "stablehlo.tanh"(%18) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %20 = "stablehlo.add"(%arg0, %19) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%20) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
