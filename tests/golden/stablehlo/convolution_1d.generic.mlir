"builtin.module"() <{sym_name = "jit_convolution_1d"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x6x50xf32>, tensor<7x6x4xf32>) -> tensor<2x7x44xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x6x50xf32>, %arg1: tensor<7x6x4xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<[[2, 1]]> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 3>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<2x6x50xf32>, tensor<7x6x4xf32>) -> tensor<2x7x44xf32>
    "func.return"(%0) : (tensor<2x7x44xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
