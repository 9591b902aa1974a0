"builtin.module"() <{sym_name = "jit_rematerialized"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> (tensor<12x16x64xf32>, tensor<12x64x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg22: tensor<8x16xf32>, %arg23: tensor<12x16x64xf32>, %arg24: tensor<12x64x16xf32>):
    %101 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %102 = "stablehlo.broadcast_in_dim"(%101) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x16xf32>
    %103 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %104:5 = "stablehlo.while"(%arg23, %arg24, %103, %arg22, %102) ({
    ^bb0(%arg44: tensor<12x16x64xf32>, %arg45: tensor<12x64x16xf32>, %arg46: tensor<i32>, %arg47: tensor<8x16xf32>, %arg48: tensor<12x8x16xf32>):
      %133 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %134 = "stablehlo.compare"(%arg46, %133) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%134) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg39: tensor<12x16x64xf32>, %arg40: tensor<12x64x16xf32>, %arg41: tensor<i32>, %arg42: tensor<8x16xf32>, %arg43: tensor<12x8x16xf32>):
      %127 = "func.call"(%arg39, %arg41) <{callee = @dynamic_index_in_dim}> : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %128 = "func.call"(%arg40, %arg41) <{callee = @dynamic_index_in_dim_0}> : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %129:2 = "func.call"(%arg42, %127, %128) <{callee = @closed_call}> : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
      %130 = "func.call"(%arg43, %129#1, %arg41) <{callee = @dynamic_update_index_in_dim}> : (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>
      %131 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %132 = "stablehlo.add"(%arg41, %131) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg39, %arg40, %132, %129#0, %130) : (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>) -> ()
    }) : (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>) -> (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>)
    %105 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %106 = "stablehlo.broadcast_in_dim"(%105) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %107 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %108 = "stablehlo.broadcast_in_dim"(%107) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x16x64xf32>
    %109 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %110 = "stablehlo.broadcast_in_dim"(%109) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x64x16xf32>
    %111 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %112:7 = "stablehlo.while"(%104#4, %arg23, %arg24, %111, %106, %108, %110) ({
    ^bb0(%arg32: tensor<12x8x16xf32>, %arg33: tensor<12x16x64xf32>, %arg34: tensor<12x64x16xf32>, %arg35: tensor<i32>, %arg36: tensor<8x16xf32>, %arg37: tensor<12x16x64xf32>, %arg38: tensor<12x64x16xf32>):
      %125 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %126 = "stablehlo.compare"(%arg35, %125) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%126) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg25: tensor<12x8x16xf32>, %arg26: tensor<12x16x64xf32>, %arg27: tensor<12x64x16xf32>, %arg28: tensor<i32>, %arg29: tensor<8x16xf32>, %arg30: tensor<12x16x64xf32>, %arg31: tensor<12x64x16xf32>):
      %113 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %114 = "stablehlo.subtract"(%113, %arg28) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %115 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %116 = "stablehlo.subtract"(%114, %115) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %117 = "func.call"(%arg25, %116) <{callee = @dynamic_index_in_dim_1}> : (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %118 = "func.call"(%arg26, %116) <{callee = @dynamic_index_in_dim}> : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %119 = "func.call"(%arg27, %116) <{callee = @dynamic_index_in_dim_0}> : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %120:3 = "func.call"(%arg29, %117, %118, %119) <{callee = @closed_call_2}> : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>)
      %121 = "func.call"(%arg30, %120#1, %116) <{callee = @dynamic_update_index_in_dim_3}> : (tensor<12x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<12x16x64xf32>
      %122 = "func.call"(%arg31, %120#2, %116) <{callee = @dynamic_update_index_in_dim_4}> : (tensor<12x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<12x64x16xf32>
      %123 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %124 = "stablehlo.add"(%arg28, %123) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg25, %arg26, %arg27, %124, %120#0, %121, %122) : (tensor<12x8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> ()
    }) : (tensor<12x8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> (tensor<12x8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>)
    "func.return"(%112#5, %112#6) : (tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<12x16x64xf32>, %arg21: tensor<i32>):
    %97 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %98 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %99 = "stablehlo.dynamic_slice"(%arg20, %arg21, %97, %98) <{slice_sizes = array<i64: 1, 16, 64>}> : (tensor<12x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xf32>
    %100 = "stablehlo.reshape"(%99) : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    "func.return"(%100) : (tensor<16x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<12x64x16xf32>, %arg19: tensor<i32>):
    %93 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %94 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %95 = "stablehlo.dynamic_slice"(%arg18, %arg19, %93, %94) <{slice_sizes = array<i64: 1, 64, 16>}> : (tensor<12x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %96 = "stablehlo.reshape"(%95) : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    "func.return"(%96) : (tensor<64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg15: tensor<8x16xf32>, %arg16: tensor<16x64xf32>, %arg17: tensor<64x16xf32>):
    %73 = "stablehlo.dot_general"(%arg15, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %74 = "stablehlo.multiply"(%73, %73) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %75 = "stablehlo.multiply"(%74, %73) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %76 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %78 = "stablehlo.multiply"(%77, %75) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %79 = "stablehlo.add"(%73, %78) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %80 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %82 = "stablehlo.multiply"(%81, %79) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %83 = "stablehlo.tanh"(%82) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %84 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %86 = "stablehlo.add"(%85, %83) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %87 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %88 = "stablehlo.broadcast_in_dim"(%87) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %89 = "stablehlo.multiply"(%88, %86) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %90 = "stablehlo.multiply"(%73, %89) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %91 = "stablehlo.dot_general"(%90, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    %92 = "stablehlo.tanh"(%91) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%92, %arg15) : (tensor<8x16xf32>, tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<12x8x16xf32>, %arg13: tensor<8x16xf32>, %arg14: tensor<i32>):
    %69 = "stablehlo.broadcast_in_dim"(%arg13) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %70 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %71 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %72 = "stablehlo.dynamic_update_slice"(%arg12, %69, %arg14, %70, %71) : (tensor<12x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x16xf32>
    "func.return"(%72) : (tensor<12x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg10: tensor<12x8x16xf32>, %arg11: tensor<i32>):
    %65 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %66 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %67 = "stablehlo.dynamic_slice"(%arg10, %arg11, %65, %66) <{slice_sizes = array<i64: 1, 8, 16>}> : (tensor<12x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %68 = "stablehlo.reshape"(%67) : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%68) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x16xf32>, tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call_2", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<16x64xf32>, %arg9: tensor<64x16xf32>):
    %8:4 = "stablehlo.optimization_barrier"(%arg7, %arg8, %arg9, %arg6) : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<8x16xf32>)
    %9 = "stablehlo.dot_general"(%8#0, %8#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %10 = "stablehlo.multiply"(%9, %9) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %11 = "stablehlo.multiply"(%10, %9) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %12 = "stablehlo.multiply"(%9, %9) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %13 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %15 = "stablehlo.multiply"(%14, %12) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %16 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %18 = "stablehlo.multiply"(%17, %11) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %19 = "stablehlo.add"(%9, %18) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %20 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %22 = "stablehlo.multiply"(%21, %19) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %23 = "stablehlo.tanh"(%22) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %26 = "stablehlo.subtract"(%25, %23) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %29 = "stablehlo.add"(%28, %23) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %30 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %32 = "stablehlo.multiply"(%31, %29) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %33 = "stablehlo.multiply"(%9, %32) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %34 = "stablehlo.dot_general"(%33, %8#2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    %35 = "stablehlo.tanh"(%34) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %36 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %38 = "stablehlo.subtract"(%37, %35) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %39 = "stablehlo.multiply"(%8#3, %38) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %40 = "stablehlo.multiply"(%39, %35) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %41 = "stablehlo.add"(%39, %40) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %42 = "stablehlo.dot_general"(%41, %33) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
    %43 = "stablehlo.transpose"(%42) <{permutation = array<i64: 1, 0>}> : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %44 = "stablehlo.dot_general"(%41, %8#2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<64x16xf32>) -> tensor<8x64xf32>
    %45 = "stablehlo.multiply"(%9, %44) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %46 = "stablehlo.multiply"(%44, %32) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %47 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.broadcast_in_dim"(%47) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %49 = "stablehlo.multiply"(%48, %45) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %50 = "stablehlo.multiply"(%49, %26) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %51 = "stablehlo.multiply"(%50, %23) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %52 = "stablehlo.add"(%50, %51) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %53 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %55 = "stablehlo.multiply"(%54, %52) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %56 = "stablehlo.add"(%46, %55) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %57 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %59 = "stablehlo.multiply"(%58, %55) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %60 = "stablehlo.multiply"(%59, %15) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %61 = "stablehlo.add"(%56, %60) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %62 = "stablehlo.dot_general"(%61, %8#0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
    %63 = "stablehlo.transpose"(%62) <{permutation = array<i64: 1, 0>}> : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %64 = "stablehlo.dot_general"(%61, %8#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<16x64xf32>) -> tensor<8x16xf32>
    "func.return"(%64, %63, %43) : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<12x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<12x16x64xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<12x16x64xf32>, %arg4: tensor<16x64xf32>, %arg5: tensor<i32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.dynamic_update_slice"(%arg3, %4, %arg5, %5, %6) : (tensor<12x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x16x64xf32>
    "func.return"(%7) : (tensor<12x16x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<12x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<12x64x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<12x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<12x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x64x16xf32>
    "func.return"(%3) : (tensor<12x64x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
