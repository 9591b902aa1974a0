//! Tests of formulas at their edges: no failures, no saving time, or unknown inputs. They also check the names of the
//! cost lines.
use perfmodel::gemm_time::tpu_v4;
use perfmodel::{
    Attention, Checkpointing, CostLine, FailureRate, FlopsPerSec, GemmSizes, MfuRefusal, Remat, RunBill, Seconds, Usd,
    Work, break_even_runs,
};

#[test]
fn a_slice_that_fails_at_once_has_no_overhead_to_state() {
    let at_once = Checkpointing { mtbf: Seconds(0.0), save: Seconds(1.0), restart: Seconds(1.0) };
    assert_eq!(at_once.overhead(Seconds(60.0)), None);
    let daily = Checkpointing { mtbf: Seconds(86_400.0), ..at_once };
    assert_eq!(daily.overhead(Seconds(0.0)), None);
    // Saving takes a second every minute. The daily failure costs half a minute of work and a second for the restart.
    let share = daily.overhead(Seconds(60.0)).expect("both are known");
    assert!((share - (1.0 / 60.0 + 31.0 / 86_400.0)).abs() < 1e-15, "{share}");
    assert_eq!(FailureRate::observed(3, Seconds(0.0), 64), None, "no time, no rate");
    assert_eq!(FailureRate::observed(0, Seconds(60.0), 64), None, "no failure, no rate");
}

#[test]
fn porting_pays_for_itself_only_where_a_run_saves() {
    let bill = |compute: f64, porting: f64| RunBill {
        compute: Some(Usd(compute)),
        failures: Some(Usd(0.0)),
        recompilation: Some(Usd(0.0)),
        egress: Some(Usd(0.0)),
        porting: Some(Usd(porting)),
        energy: Some(Usd(0.0)),
    };
    // Porting costs $900 more, and each run saves $30.
    assert_eq!(bill(70.0, 1000.0).break_even_runs(&bill(100.0, 100.0)), Some(30.0));
    assert_eq!(bill(100.0, 1000.0).break_even_runs(&bill(100.0, 100.0)), None, "the same price");
    assert_eq!(break_even_runs(Usd(-5.0), Usd(1.0)), Some(0.0), "paid for from the start");
}

#[test]
fn each_line_of_a_bill_has_its_word() {
    let words = CostLine::ALL.map(CostLine::word);
    assert_eq!(words, ["compute", "failures", "recompilation", "egress", "porting", "energy"]);
    assert_eq!([Attention::Full, Attention::Causal].map(Attention::word), ["full attention", "causal attention"]);
}

#[test]
fn recomputing_all_is_a_third_more_than_the_model_asks_for() {
    // A forward pass is a third of a step, because the backward pass has twice as many FLOPs.
    assert_eq!(Remat::None.executed_per_model_flop().to_bits(), 1f64.to_bits());
    assert!((Remat::Full.executed_per_model_flop() - 4.0 / 3.0).abs() < 1e-15);
}

#[test]
fn work_without_end_or_without_a_rate_takes_no_stated_time() {
    let work = Work { model_flops: 1e15, chips: 4, peak: FlopsPerSec(2.5e14) };
    assert_eq!(work.time(0.5), Ok(Seconds(2.0)));
    assert_eq!(work.time(0.0), Err(MfuRefusal::NoRate));
    assert_eq!(Work { model_flops: f64::INFINITY, ..work }.time(0.5), Err(MfuRefusal::NoRate));
    assert_eq!(Work { chips: 0, model_flops: 0.0, ..work }.time(0.5), Err(MfuRefusal::NoRate));
}

#[test]
fn three_matrices_that_do_not_fit_vector_memory_together_are_streamed() {
    let launch_us =
        |m: u64, k: u64, n: u64| (tpu_v4::time(GemmSizes { m, k, n }).1.launch.0 * 1e6 * 1000.0).round() / 1000.0;
    // A matmul with 3.1 million elements stays in vector memory, like a much smaller one. The limit is 3.2 million
    // elements. A matmul with 3.6 million elements is streamed, like one with 50 million.
    assert!((launch_us(1016, 1016, 1016) - launch_us(256, 256, 256)).abs() < 1e-9);
    assert!((launch_us(1100, 1100, 1100) - launch_us(4096, 4096, 4096)).abs() < 1e-9);
    assert!(launch_us(1100, 1100, 1100) > launch_us(1016, 1016, 1016));
}
