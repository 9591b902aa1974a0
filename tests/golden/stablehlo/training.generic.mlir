"builtin.module"() <{sym_name = "jit_training"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> (tensor<12x16x64xf32>, tensor<12x64x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg35: tensor<8x16xf32>, %arg36: tensor<12x16x64xf32>, %arg37: tensor<12x64x16xf32>):
    %90 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x16xf32>
    %92 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x64xf32>
    %94 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %95 = "stablehlo.broadcast_in_dim"(%94) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x64xf32>
    %96 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %97 = "stablehlo.broadcast_in_dim"(%96) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x64xf32>
    %98 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x64xf32>
    %100 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x64xf32>
    %102 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x64xf32>
    %104 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %105 = "stablehlo.broadcast_in_dim"(%104) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x16xf32>
    %106 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %107 = "stablehlo.broadcast_in_dim"(%106) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x16xf32>
    %108 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %109:13 = "stablehlo.while"(%arg36, %arg37, %108, %arg35, %91, %93, %95, %97, %99, %101, %103, %105, %107) ({
    ^bb0(%arg81: tensor<12x16x64xf32>, %arg82: tensor<12x64x16xf32>, %arg83: tensor<i32>, %arg84: tensor<8x16xf32>, %arg85: tensor<12x8x16xf32>, %arg86: tensor<12x8x64xf32>, %arg87: tensor<12x8x64xf32>, %arg88: tensor<12x8x64xf32>, %arg89: tensor<12x8x64xf32>, %arg90: tensor<12x8x64xf32>, %arg91: tensor<12x8x64xf32>, %arg92: tensor<12x8x16xf32>, %arg93: tensor<12x8x16xf32>):
      %154 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %155 = "stablehlo.compare"(%arg83, %154) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%155) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg68: tensor<12x16x64xf32>, %arg69: tensor<12x64x16xf32>, %arg70: tensor<i32>, %arg71: tensor<8x16xf32>, %arg72: tensor<12x8x16xf32>, %arg73: tensor<12x8x64xf32>, %arg74: tensor<12x8x64xf32>, %arg75: tensor<12x8x64xf32>, %arg76: tensor<12x8x64xf32>, %arg77: tensor<12x8x64xf32>, %arg78: tensor<12x8x64xf32>, %arg79: tensor<12x8x16xf32>, %arg80: tensor<12x8x16xf32>):
      %140 = "func.call"(%arg68, %arg70) <{callee = @dynamic_index_in_dim}> : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %141 = "func.call"(%arg69, %arg70) <{callee = @dynamic_index_in_dim_0}> : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %142:10 = "func.call"(%arg71, %140, %141) <{callee = @closed_call}> : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
      %143 = "func.call"(%arg72, %142#1, %arg70) <{callee = @dynamic_update_index_in_dim}> : (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>
      %144 = "func.call"(%arg73, %142#2, %arg70) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %145 = "func.call"(%arg74, %142#3, %arg70) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %146 = "func.call"(%arg75, %142#4, %arg70) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %147 = "func.call"(%arg76, %142#5, %arg70) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %148 = "func.call"(%arg77, %142#6, %arg70) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %149 = "func.call"(%arg78, %142#7, %arg70) <{callee = @dynamic_update_index_in_dim_1}> : (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>
      %150 = "func.call"(%arg79, %142#8, %arg70) <{callee = @dynamic_update_index_in_dim}> : (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>
      %151 = "func.call"(%arg80, %142#9, %arg70) <{callee = @dynamic_update_index_in_dim}> : (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>
      %152 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %153 = "stablehlo.add"(%arg70, %152) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg68, %arg69, %153, %142#0, %143, %144, %145, %146, %147, %148, %149, %150, %151) : (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>) -> ()
    }) : (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>) -> (tensor<12x16x64xf32>, tensor<12x64x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>)
    %110 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %111 = "stablehlo.broadcast_in_dim"(%110) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %112 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %113 = "stablehlo.broadcast_in_dim"(%112) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x16x64xf32>
    %114 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %115 = "stablehlo.broadcast_in_dim"(%114) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x64x16xf32>
    %116 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %117:15 = "stablehlo.while"(%arg36, %109#4, %109#5, %109#6, %109#7, %109#8, %109#9, %arg37, %109#10, %109#11, %109#12, %116, %111, %113, %115) ({
    ^bb0(%arg53: tensor<12x16x64xf32>, %arg54: tensor<12x8x16xf32>, %arg55: tensor<12x8x64xf32>, %arg56: tensor<12x8x64xf32>, %arg57: tensor<12x8x64xf32>, %arg58: tensor<12x8x64xf32>, %arg59: tensor<12x8x64xf32>, %arg60: tensor<12x64x16xf32>, %arg61: tensor<12x8x64xf32>, %arg62: tensor<12x8x16xf32>, %arg63: tensor<12x8x16xf32>, %arg64: tensor<i32>, %arg65: tensor<8x16xf32>, %arg66: tensor<12x16x64xf32>, %arg67: tensor<12x64x16xf32>):
      %138 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %139 = "stablehlo.compare"(%arg64, %138) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%139) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg38: tensor<12x16x64xf32>, %arg39: tensor<12x8x16xf32>, %arg40: tensor<12x8x64xf32>, %arg41: tensor<12x8x64xf32>, %arg42: tensor<12x8x64xf32>, %arg43: tensor<12x8x64xf32>, %arg44: tensor<12x8x64xf32>, %arg45: tensor<12x64x16xf32>, %arg46: tensor<12x8x64xf32>, %arg47: tensor<12x8x16xf32>, %arg48: tensor<12x8x16xf32>, %arg49: tensor<i32>, %arg50: tensor<8x16xf32>, %arg51: tensor<12x16x64xf32>, %arg52: tensor<12x64x16xf32>):
      %118 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %119 = "stablehlo.subtract"(%118, %arg49) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %120 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %121 = "stablehlo.subtract"(%119, %120) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %122 = "func.call"(%arg38, %121) <{callee = @dynamic_index_in_dim}> : (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %123 = "func.call"(%arg39, %121) <{callee = @dynamic_index_in_dim_2}> : (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %124 = "func.call"(%arg40, %121) <{callee = @dynamic_index_in_dim_3}> : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %125 = "func.call"(%arg41, %121) <{callee = @dynamic_index_in_dim_3}> : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %126 = "func.call"(%arg42, %121) <{callee = @dynamic_index_in_dim_3}> : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %127 = "func.call"(%arg43, %121) <{callee = @dynamic_index_in_dim_3}> : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %128 = "func.call"(%arg44, %121) <{callee = @dynamic_index_in_dim_3}> : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %129 = "func.call"(%arg45, %121) <{callee = @dynamic_index_in_dim_0}> : (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %130 = "func.call"(%arg46, %121) <{callee = @dynamic_index_in_dim_3}> : (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>
      %131 = "func.call"(%arg47, %121) <{callee = @dynamic_index_in_dim_2}> : (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %132 = "func.call"(%arg48, %121) <{callee = @dynamic_index_in_dim_2}> : (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %133:3 = "func.call"(%arg50, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132) <{callee = @closed_call_4}> : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<64x16xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>)
      %134 = "func.call"(%arg51, %133#1, %121) <{callee = @dynamic_update_index_in_dim_5}> : (tensor<12x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<12x16x64xf32>
      %135 = "func.call"(%arg52, %133#2, %121) <{callee = @dynamic_update_index_in_dim_6}> : (tensor<12x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<12x64x16xf32>
      %136 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %137 = "stablehlo.add"(%arg49, %136) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg38, %arg39, %arg40, %arg41, %arg42, %arg43, %arg44, %arg45, %arg46, %arg47, %arg48, %137, %133#0, %134, %135) : (tensor<12x16x64xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x64x16xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> ()
    }) : (tensor<12x16x64xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x64x16xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> (tensor<12x16x64xf32>, tensor<12x8x16xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x8x64xf32>, tensor<12x64x16xf32>, tensor<12x8x64xf32>, tensor<12x8x16xf32>, tensor<12x8x16xf32>, tensor<i32>, tensor<8x16xf32>, tensor<12x16x64xf32>, tensor<12x64x16xf32>)
    "func.return"(%117#13, %117#14) : (tensor<12x16x64xf32>, tensor<12x64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg33: tensor<12x16x64xf32>, %arg34: tensor<i32>):
    %86 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %87 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %88 = "stablehlo.dynamic_slice"(%arg33, %arg34, %86, %87) <{slice_sizes = array<i64: 1, 16, 64>}> : (tensor<12x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xf32>
    %89 = "stablehlo.reshape"(%88) : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    "func.return"(%89) : (tensor<16x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg31: tensor<12x64x16xf32>, %arg32: tensor<i32>):
    %82 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %83 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %84 = "stablehlo.dynamic_slice"(%arg31, %arg32, %82, %83) <{slice_sizes = array<i64: 1, 64, 16>}> : (tensor<12x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %85 = "stablehlo.reshape"(%84) : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    "func.return"(%85) : (tensor<64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>), res_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg28: tensor<8x16xf32>, %arg29: tensor<16x64xf32>, %arg30: tensor<64x16xf32>):
    %51 = "stablehlo.dot_general"(%arg28, %arg29) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %52 = "stablehlo.multiply"(%51, %51) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %53 = "stablehlo.multiply"(%52, %51) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %54 = "stablehlo.multiply"(%51, %51) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %55 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %57 = "stablehlo.multiply"(%56, %54) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %58 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %59 = "stablehlo.broadcast_in_dim"(%58) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %60 = "stablehlo.multiply"(%59, %53) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %61 = "stablehlo.add"(%51, %60) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %62 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %63 = "stablehlo.broadcast_in_dim"(%62) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %64 = "stablehlo.multiply"(%63, %61) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %65 = "stablehlo.tanh"(%64) : (tensor<8x64xf32>) -> tensor<8x64xf32>
    %66 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %67 = "stablehlo.broadcast_in_dim"(%66) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %68 = "stablehlo.subtract"(%67, %65) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %69 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %71 = "stablehlo.add"(%70, %65) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %72 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %73 = "stablehlo.broadcast_in_dim"(%72) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %74 = "stablehlo.multiply"(%73, %71) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %75 = "stablehlo.multiply"(%51, %74) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %76 = "stablehlo.dot_general"(%75, %arg30) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<8x16xf32>
    %77 = "stablehlo.tanh"(%76) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %78 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %79 = "stablehlo.broadcast_in_dim"(%78) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x16xf32>
    %80 = "stablehlo.subtract"(%79, %77) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %81 = "stablehlo.add"(%arg28, %77) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%81, %arg28, %57, %65, %68, %74, %51, %75, %77, %80) : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<12x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<12x8x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg25: tensor<12x8x16xf32>, %arg26: tensor<8x16xf32>, %arg27: tensor<i32>):
    %47 = "stablehlo.broadcast_in_dim"(%arg26) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %48 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %49 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.dynamic_update_slice"(%arg25, %47, %arg27, %48, %49) : (tensor<12x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x16xf32>
    "func.return"(%50) : (tensor<12x8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<12x8x64xf32>, tensor<8x64xf32>, tensor<i32>) -> tensor<12x8x64xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg22: tensor<12x8x64xf32>, %arg23: tensor<8x64xf32>, %arg24: tensor<i32>):
    %43 = "stablehlo.broadcast_in_dim"(%arg23) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x64xf32>) -> tensor<1x8x64xf32>
    %44 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.dynamic_update_slice"(%arg22, %43, %arg24, %44, %45) : (tensor<12x8x64xf32>, tensor<1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x64xf32>
    "func.return"(%46) : (tensor<12x8x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg20: tensor<12x8x16xf32>, %arg21: tensor<i32>):
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.dynamic_slice"(%arg20, %arg21, %39, %40) <{slice_sizes = array<i64: 1, 8, 16>}> : (tensor<12x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%42) : (tensor<8x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<12x8x64xf32>, tensor<i32>) -> tensor<8x64xf32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim_3", sym_visibility = "private"}> ({
  ^bb0(%arg18: tensor<12x8x64xf32>, %arg19: tensor<i32>):
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %36 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %37 = "stablehlo.dynamic_slice"(%arg18, %arg19, %35, %36) <{slice_sizes = array<i64: 1, 8, 64>}> : (tensor<12x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x64xf32>
    %38 = "stablehlo.reshape"(%37) : (tensor<1x8x64xf32>) -> tensor<8x64xf32>
    "func.return"(%38) : (tensor<8x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x16xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<8x64xf32>, tensor<64x16xf32>, tensor<8x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>), res_attrs = [{}, {}, {}], sym_name = "closed_call_4", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<8x16xf32>, %arg7: tensor<16x64xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<8x64xf32>, %arg10: tensor<8x64xf32>, %arg11: tensor<8x64xf32>, %arg12: tensor<8x64xf32>, %arg13: tensor<8x64xf32>, %arg14: tensor<64x16xf32>, %arg15: tensor<8x64xf32>, %arg16: tensor<8x16xf32>, %arg17: tensor<8x16xf32>):
    %8 = "stablehlo.multiply"(%arg6, %arg17) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %9 = "stablehlo.multiply"(%8, %arg16) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %10 = "stablehlo.add"(%8, %9) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    %11 = "stablehlo.dot_general"(%10, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
    %12 = "stablehlo.transpose"(%11) <{permutation = array<i64: 1, 0>}> : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %13 = "stablehlo.dot_general"(%10, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<64x16xf32>) -> tensor<8x64xf32>
    %14 = "stablehlo.multiply"(%arg13, %13) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %15 = "stablehlo.multiply"(%13, %arg12) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %16 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %18 = "stablehlo.multiply"(%17, %14) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %19 = "stablehlo.multiply"(%18, %arg11) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %20 = "stablehlo.multiply"(%19, %arg10) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %21 = "stablehlo.add"(%19, %20) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %22 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %24 = "stablehlo.multiply"(%23, %21) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %25 = "stablehlo.add"(%15, %24) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %26 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x64xf32>
    %28 = "stablehlo.multiply"(%27, %24) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %29 = "stablehlo.multiply"(%28, %arg9) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %30 = "stablehlo.add"(%25, %29) : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
    %31 = "stablehlo.dot_general"(%30, %arg8) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
    %32 = "stablehlo.transpose"(%31) <{permutation = array<i64: 1, 0>}> : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %33 = "stablehlo.dot_general"(%30, %arg7) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<8x64xf32>, tensor<16x64xf32>) -> tensor<8x16xf32>
    %34 = "stablehlo.add"(%arg6, %33) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    "func.return"(%34, %32, %12) : (tensor<8x16xf32>, tensor<16x64xf32>, tensor<64x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<12x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<12x16x64xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_5", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<12x16x64xf32>, %arg4: tensor<16x64xf32>, %arg5: tensor<i32>):
    %4 = "stablehlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.dynamic_update_slice"(%arg3, %4, %arg5, %5, %6) : (tensor<12x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x16x64xf32>
    "func.return"(%7) : (tensor<12x16x64xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<12x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<12x64x16xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim_6", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<12x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<12x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x64x16xf32>
    "func.return"(%3) : (tensor<12x64x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
