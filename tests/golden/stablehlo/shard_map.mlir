module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<64x16xf32>, %arg1: tensor<16x24xf32>) -> (tensor<64x24xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg2: tensor<8x16xf32>, %arg3: tensor<16x24xf32>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x24xf32>) -> tensor<8x24xf32>
      sdy.return %1 : tensor<8x24xf32>
    } : (tensor<64x16xf32>, tensor<16x24xf32>) -> tensor<64x24xf32>
    return %0 : tensor<64x24xf32>
  }
}
