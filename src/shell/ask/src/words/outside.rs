//! Names of hardware and of software that the project does not model.

/// Names, with commas between the forms that a person writes.
const HARDWARE: [&str; 31] = [
    "Eyeriss", "the Edge TPU,edge tpu,edgetpu,coral", "NVDLA,nv large,nv small,nv full", "Gemmini", "Ascend,910b,ascend910",
    "the Apple Neural Engine,neural engine,ane,core ml,coreml", "Hexagon,hexagon npu,qnn,snapdragon",
    "a Jetson,jetson,orin,xavier", "Groq,lpu", "Cerebras,wse,wafer scale engine", "a Graphcore IPU,graphcore,ipu,poplar",
    "SambaNova", "Tenstorrent,wormhole,grayskull,blackhole", "Loihi,neuromorphic,spiking,snn", "Inferentia,inf1,inf2",
    "MTIA", "Hailo", "an NPU of Rockchip,rk3588,rknn,rockchip", "an NPU of Intel,meteor lake,lunar lake,openvino npu",
    "Ryzen AI,xdna", "Ethos-U,ethos u,ethos n,ethos", "a Raspberry Pi,raspberry pi,rpi", "MAERI", "SIGMA accelerator",
    "Simba", "ShiDianNao,diannao,dadiannao", "Versal AI Engines,ai engine,aie,versal", "a Zynq board,zcu102,zcu104,pynq,zynq,kv260,ultra96",
    "analog or in-memory computing,in memory computing,memristor,crossbar,rram,reram", "optical or photonic arrays,photonic,optical",
    "a Movidius,movidius,myriad,neural compute stick",
];
const SOFTWARE: [&str; 9] = [
    "XLA flags,xla flags,libtpu init args,xla gpu,xla tpu", "stack traces,traceback most recent call last,segmentation fault,core dumped,segfault",
    "import errors,importerror,modulenotfounderror,no module named,undefined symbol,cannot import name",
    "versions of CUDA and drivers,cuda version,nvcc,cudnn version,driver version,cuda driver,cuda toolkit",
    "compile errors of Mosaic and Pallas,mosaic failed to compile,failed to lower,not implemented lowering",
    "NCCL hangs and timeouts,nccl timeout,nccl error,watchdog", "illegal memory accesses,illegal memory access,device side assert,cublas status",
    "loading of checkpoints,safetensors,load checkpoint,state dict,orbax", "containers and clusters,docker,kubernetes,slurm,gke",
];

/// Returns the first name of a list that a text has.
fn named(list: &'static [&'static str], text: &str) -> Option<&'static str> {
    let words = |text: &str| text.to_lowercase().replace(|sign: char| !sign.is_alphanumeric(), " ");
    let text = format!(" {} ", words(text).split_whitespace().collect::<Vec<_>>().join(" "));
    let has = |name: &str| text.contains(&format!(" {} ", words(name)));
    list.iter().find(|names| names.split(',').any(has)).and_then(|names| names.split(',').next())
}

/// Returns a sentence on what a text names and the page does not model.
pub(crate) fn says(text: &str) -> Option<String> {
    let hardware = named(&HARDWARE, text).map(|name| format!("This page does not model {name}."));
    hardware.or_else(|| named(&SOFTWARE, text).map(|name| format!("This page does not explain {name}.")))
}

/// Title of an answer on what the page does not model.
pub(crate) const TITLE: &str = "Outside of what this page models";

/// Rest of the answer: what comes nearest.
pub(crate) const NEAREST: &str =
    " Its own documentation and issues do. Nearest here: a run of an array with its sizes, or the answers below.";
