// The training loop: phases, steps, stopping, problems.
#include "runtime/training/sgd.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "runtime/communication/agreement.hpp"
#include "runtime/metrics/external_metric.hpp"
#include "runtime/observation/data_waits.hpp"
#include "runtime/observation/finite_check.hpp"
#include "runtime/observation/profile.hpp"
#include "runtime/observation/trace.hpp"
#include "runtime/process/position.hpp"
#include "runtime/process/signals.hpp"
#include "runtime/training/checkpointing.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

using Clock = std::chrono::steady_clock;

/// The `position` while ranks wait for one another outside of instructions.
constexpr char const* between_phases = "the agreement of all ranks between two phases";

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// A metric in its unit: the program computes fractions, users read per cent.
double shown(Measure const& metric, double value) {
  return metric.unit == "%" ? 100 * value : value;
}

std::string_view entry_of(ExecutionMode mode) {
  return mode == ExecutionMode::training ? "train" : "evaluate";
}

}  // namespace

Sgd::Sgd(CallbackContext const& run, Executor& executor, Callbacks& callbacks,
         std::array<std::optional<Phase>, run_modes>& phases, SgdOptions options)
    : run_(run),
      executor_(executor),
      callbacks_(callbacks),
      phases_(phases),
      options_(options),
      probe_(run, executor, phases, options.trainer) {
  auto const& plan = run.plan;
  mini_batch_ = executor.scalar_or_null<double>(plan.mini_batch);
  step_samples_ = executor.scalar_or_null<double>(plan.step_samples);
  samples_before_ = executor.scalar_or_null<double>(plan.samples_before);
  first_sample_ = executor.scalar_or_null<std::int64_t>(plan.first_sample);
  objective_ = executor.scalar_or_null<double>(plan.objective.step_value);
  std::int64_t most_steps = 0;
  for (std::size_t mode = 0; mode < phases.size(); ++mode)
    for (auto const& size : run.sizes.all(static_cast<ExecutionMode>(mode)))
      most_steps = std::max(most_steps, size.steps());
  step_seconds_.reserve(static_cast<std::size_t>(most_steps));
  for (auto const& metric : plan.metrics)
    metrics_.push_back(executor.scalar_or_null<double>(metric.step_value));
  step_metrics_.resize(metrics_.size());
  metric_values_.resize(metrics_.size());
  // Where steps are recorded on a device, its first is no other than those that follow.
  if (!device::has_own_memory())
    first_step_ = std::make_unique<FiniteCheck>(plan, FiniteCheck::Scope::cause);
}

Sgd::~Sgd() = default;

Result<Success> Sgd::prepare() {
  auto bound = executor_.bind("initialize", executor_.program().mini_batch);
  if (!bound) return bound.problem();
  initialize_ = bound.value();
  auto timed = TimedEntries::bind(run_.plan, executor_);
  if (!timed) return timed.problem();
  timed_ = std::move(timed).value();
  for (std::size_t mode = 0; mode < phases_.size(); ++mode) {
    if (!phases_[mode]) continue;
    auto done = phases_[mode]->bind(executor_, entry_of(static_cast<ExecutionMode>(mode)));
    if (!done) return done;
  }
  return callbacks_.prepare(probe_);
}

void Sgd::initialize() {
  if (auto* const seed = executor_.scalar_or_null<std::int64_t>(run_.plan.seed))
    *seed = options_.seed;
  if (mini_batch_ != nullptr) *mini_batch_ = 1;
  if (first_sample_ != nullptr) *first_sample_ = 0;
  if (options_.finite != nullptr)
    options_.finite->run(*initialize_);
  else
    Executor::run(*initialize_);
  auto const steps = run_.sizes.of(ExecutionMode::training).steps();
  if (auto* const value = executor_.scalar_or_null<double>(run_.plan.steps_per_epoch))
    *value = static_cast<double>(steps);
}

void Sgd::run(BoundEntry const& entry) {
  if (options_.finite != nullptr)
    options_.finite->run(entry);
  else if (options_.profile != nullptr)
    options_.profile->run(entry);
  else if (options_.trace != nullptr)
    options_.trace->run(entry);
  else if (callbacks_.observe_instructions())
    run_observed(entry);
  else if (first_step_)
    first_step_->run(entry);
  else
    Executor::run(entry);
}

void Sgd::run_observed(BoundEntry const& entry) {
  Executor::run(entry, [&](BoundEntry::Step const& step) {
    callbacks_.instruction_begin(entry, step);
    step.kernel->run();
    if (step.kind == BoundEntry::Kind::compute) wait_for_device();
    callbacks_.instruction_end(entry, step);
  });
}

void Sgd::run_due(Moment moment, std::int64_t count) {
  timed_.run_due(moment, count, [this](BoundEntry const& entry) { run(entry); });
}

double Sgd::seconds_since_start() const { return seconds_between(start_, Clock::now()); }

Stop Sgd::stop() {
  if (executor_.ranks() == 1) status_ = own_status();
  if (signalled()) return Stop::signal;
  if (stop_wanted_) return Stop::callback;
  if (checkpoint_failed()) return Stop::checkpoint;
  auto const stop = stop_of(run_.plan.training, options_.step_limit, progress_);
  return stop == Stop::not_yet && status_.time_over > 0 ? Stop::seconds : stop;
}

Sgd::Status Sgd::own_status() const {
  Status status;
  auto const signal = SignalWatch::received();
  status.interrupt = signal == SIGINT ? 1 : 0;
  status.terminate = signal == SIGTERM ? 1 : 0;
  status.warned = signal == SIGUSR1 ? 1 : 0;
  auto const most = run_.plan.training.max_seconds;
  if (most > 0 && seconds_since_start() >= most) status.time_over = 1;
  if (step_problem_) status.failed = 1;
  if (auto const* const checkpoints = options_.checkpoints) {
    // This is called before the step ends that it is about.
    if (executor_.rank() == 0 && checkpoints->due_after_step(progress_.steps + 1))
      status.checkpoint_due = 1;
    if (checkpoints->busy()) status.checkpoint_busy = 1;
  }
  return status;
}

Result<Success> Sgd::agree(Result<Success> mine) const {
  if (options_.trainer == nullptr) return mine;
  position().store(between_phases);
  auto agreed = agree_on_status(*options_.trainer, std::move(mine));
  position().store(nullptr);
  return agreed;
}

TrainingPosition Sgd::position_here() const {
  return {progress_.steps, progress_.epochs,     step_of_phase_, samples_of_phase_,
          false,           seconds_since_start()};
}

bool Sgd::checkpoint_failed() const {
  return options_.checkpoints != nullptr && options_.checkpoints->problem();
}

void Sgd::advance_checkpoints() {
  auto* const checkpoints = options_.checkpoints;
  if (checkpoints == nullptr || step_problem_) return;
  checkpoints->advance(status_.checkpoint_busy > 0);
  if (status_.checkpoint_due > 0) checkpoints->save(position_here(), Saving::in_background);
}

void Sgd::save_before(Stop why, TrainingPosition const& position, bool states_kept) {
  auto* const checkpoints = options_.checkpoints;
  if (checkpoints == nullptr || why == Stop::not_yet) return;
  if (why != Stop::signal && !checkpoints->periodic()) return;
  checkpoints->save(position, why == Stop::signal ? Saving::at_signal : Saving::at_end,
                    states_kept);
}

void Sgd::end_epoch(Stop stop) {
  if (options_.checkpoints == nullptr || !epoch_complete_) return;
  TrainingPosition const here{progress_.steps, progress_.epochs,     0, 0,
                              !validated_,     seconds_since_start()};
  if (stop != Stop::not_yet)
    save_before(stop, here);
  else if (checkpoint_due_ || options_.checkpoints->due_after_epoch(progress_.epochs))
    options_.checkpoints->save(here, Saving::in_background);
}

Result<Success> Sgd::resume() {
  if (options_.checkpoints == nullptr) return Success{};
  if (!options_.checkpoints->resumes()) return Success{};
  auto const position = options_.checkpoints->restore();
  if (!position) return position.problem();
  resumed_ = position.value();
  progress_.steps = resumed_.steps;
  progress_.epochs = resumed_.epochs;
  start_ -=
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(resumed_.seconds));
  auto const size = run_.sizes.of(ExecutionMode::training, resumed_.epochs);
  if (resumed_.step_of_epoch > 0 &&
      resumed_.samples_of_epoch != resumed_.step_of_epoch * size.mini_batch) {
    run_.log.line("the mini-batch size has changed: epoch " + std::to_string(resumed_.epochs) +
                  " begins again");
    resumed_.step_of_epoch = resumed_.samples_of_epoch = 0;
  }
  return Success{};
}

void Sgd::begin_phase(ExecutionMode mode, std::int64_t first_step) {
  auto const zero = [&](Measure const& measure) {
    auto const sum = mode == ExecutionMode::training ? measure.train_sum : measure.evaluate_sum;
    if (auto* const value = executor_.scalar_or_null<double>(sum)) *value = 0;
  };
  if (first_step == 0) {
    zero(run_.plan.objective);
    for (auto const& metric : run_.plan.metrics) zero(metric);
  }
  step_seconds_.clear();
  phase_waited_ = 0;
  step_of_phase_ = first_step;
  samples_of_phase_ = first_step == 0 ? 0 : resumed_.samples_of_epoch;
  // Each role counts its passes from 0, the one that is prefetched at the start.
  auto const pass = mode == ExecutionMode::testing                     ? 0
                    : mode == ExecutionMode::training || within_epoch_ ? progress_.epochs
                                                                       : progress_.epochs - 1;
  phases_[static_cast<std::size_t>(mode)]->begin(pass, first_step);
  iteration_.mode = mode;
  iteration_.epoch = pass;
}

Result<std::int64_t> Sgd::execute(Phase& phase) {
  auto const samples = phase.size().samples_of(step_of_phase_);
  iteration_.step = iteration_.mode == ExecutionMode::training ? progress_.steps : step_of_phase_;
  bool const observed = !within_epoch_ && callbacks_.reads(iteration_);
  iteration_.local = 0;
  iteration_.indices = {};
  if (!within_epoch_) callbacks_.iteration_begin(iteration_);
  if (step_samples_ != nullptr) *step_samples_ = static_cast<double>(samples);
  step_objective_ = 0;
  step_waited_ = 0;
  std::ranges::fill(step_metrics_, 0.0);
  std::int64_t local = 0, first_sample = 0;  // of all micro-batches
  for (std::int64_t before = 0; before < samples;) {
    auto const count = std::min(phase.size().micro_batch, samples - before);
    bool const last = before + count == samples;
    if (samples_before_ != nullptr) *samples_before_ = static_cast<double>(before);
    auto const& entry = last ? phase.entry(count, observed) : phase.accumulating_entry(count);
    if (auto done = execute_micro_batch(phase, entry, count); !done) return done.problem();
    auto const share = static_cast<double>(count) / static_cast<double>(samples);
    if (objective_ != nullptr) step_objective_ += share * *objective_;
    for (std::size_t i = 0; i < metrics_.size(); ++i)
      if (metrics_[i] != nullptr) step_metrics_[i] += share * *metrics_[i];
    if (before == 0) first_sample = iteration_.first_sample;
    local += iteration_.local;
    before += count;
  }
  if (observed) {
    auto const read = callbacks_.read(iteration_);
    if (!read && executor_.ranks() == 1) return read.problem();
    // The status word of the next step carries the failure to the other ranks.
    if (!read && !step_problem_) step_problem_ = read.problem();
  }
  if (!within_epoch_) {
    auto whole = iteration_;
    // Indices are those of one micro-batch.
    if (local != iteration_.local) whole.indices = {};
    whole.local = local;
    whole.first_sample = first_sample;
    callbacks_.iteration_end(whole);
  }
  samples_of_phase_ += samples;
  phase_waited_ += step_waited_;
  ++step_of_phase_;
  return samples;
}

Result<Success> Sgd::execute_micro_batch(Phase& phase, BoundEntry const& entry,
                                         std::int64_t samples) {
  auto const batch = phase.load_next();
  auto* const status = executor_.scalar_or_null<double>(entry.entry->status);
  if (!batch) {
    // Peers will block in the first all-reduce: run this step anyway; its status word carries the
    // failure to them.
    if (executor_.ranks() == 1) return batch.problem();
    step_problem_ = batch.problem();
  } else {
    if (mini_batch_ != nullptr) *mini_batch_ = static_cast<double>(samples);
    if (first_sample_ != nullptr)
      *first_sample_ = batch.value().first_sample - executor_.first_sample(samples);
    iteration_.first_sample = batch.value().first_sample;
    iteration_.indices = batch.value().indices;
    step_waited_ += batch.value().waited;
    if (options_.waits != nullptr && !within_epoch_) options_.waits->add(batch.value());
  }
  iteration_.local = executor_.local_samples(samples);
  if (status != nullptr) {
    auto const own = own_status();
    std::memcpy(status, &own, sizeof own);
  }
  if (options_.trace != nullptr && batch) options_.trace->read(batch.value());
  run(entry);
  if (options_.finite != nullptr && options_.finite->problem()) {
    diverged_ = true;
    if (!step_problem_) step_problem_ = input_not_finite();
    if (!step_problem_) step_problem_ = options_.finite->problem();
    if (executor_.ranks() == 1) return *step_problem_;
  }
  if (status != nullptr)
    std::memcpy(static_cast<void*>(&status_), status, sizeof status_);
  else
    status_ = own_status();
  if (status_.failed > 0) {
    auto const agreed = agree(step_problem_ ? Result<Success>(*step_problem_) : Success{});
    return agreed.problem();
  }
  return Success{};
}

Result<Success> Sgd::training_step(Phase& phase) {
  auto const begin = Clock::now();
  run_due(Moment::step_begin, progress_.steps);
  callbacks_.step_begin(progress_.steps);
  auto const batch = execute(phase);
  if (!batch) return batch.problem();
  auto const end = Clock::now();

  StepResult result;
  result.epoch = progress_.epochs;
  result.step = progress_.steps;
  result.step_of_epoch = step_of_phase_ - 1;
  result.samples = batch.value();
  result.seconds = seconds_between(begin, end);
  result.waited = step_waited_;
  constexpr auto unknown = std::numeric_limits<double>::quiet_NaN();
  result.objective = objective_ == nullptr ? unknown : step_objective_;
  for (std::size_t i = 0; i < metrics_.size(); ++i)
    metric_values_[i] =
        metrics_[i] == nullptr ? unknown : shown(run_.plan.metrics[i], step_metrics_[i]);
  result.metrics = metric_values_;

  step_seconds_.push_back(result.seconds);
  if (progress_.steps++ == resumed_.steps)
    seconds_to_first_step_ = seconds_between(options_.process_start, end);
  if (objective_ != nullptr && !std::isfinite(result.objective))
    return end_not_finite(result.objective);
  first_step_.reset();
  run_due(Moment::step_end, progress_.steps);
  auto observed = callbacks_.step_end(result);
  if (observed || executor_.ranks() == 1) return observed;
  step_problem_ = observed.problem();
  return Success{};
}

Result<Success> Sgd::training_epoch() {
  auto& phase = *phases_[static_cast<std::size_t>(ExecutionMode::training)];
  auto const first_step = std::exchange(resumed_.step_of_epoch, 0);
  if (first_step == 0)
    if (auto done = agree(callbacks_.epoch_begin(progress_.epochs)); !done) return done;
  auto const begin = Clock::now();
  begin_phase(ExecutionMode::training, first_step);
  auto const steps = phase.size().steps();
  while (step_of_phase_ < steps) {
    if (auto done = training_step(phase); !done) return done;
    if (callbacks_.want_evaluation(progress_.steps))
      if (auto done = evaluate_within_epoch(); !done) return done;
    if (step_of_phase_ == steps) break;
    advance_checkpoints();
    auto const why = stop();
    if (why == Stop::not_yet) continue;
    save_before(why, position_here());
    break;
  }
  epoch_complete_ = step_of_phase_ == steps;
  checkpoint_due_ = epoch_complete_ && status_.checkpoint_due > 0;
  PhaseResult result;
  result.mode = ExecutionMode::training;
  result.epoch = progress_.epochs;
  result.complete = epoch_complete_;
  result.seconds = seconds_between(begin, Clock::now());
  ++progress_.epochs;
  return finish_phase(result);
}

Result<Success> Sgd::evaluate(ExecutionMode mode) {
  auto& phase = *phases_[static_cast<std::size_t>(mode)];
  auto const begin = Clock::now();
  // An evaluation that a signal ends begins again on resume.
  if (options_.checkpoints != nullptr) options_.checkpoints->keep_states();
  begin_phase(mode);
  auto const steps = options_.step_limit > 0 ? std::min(options_.step_limit, phase.size().steps())
                                             : phase.size().steps();
  auto const* const sum = executor_.scalar_or_null<double>(run_.plan.objective.evaluate_sum);
  while (step_of_phase_ < steps && !signalled()) {
    auto const step_begin = Clock::now();
    if (auto const batch = execute(phase); !batch) return batch.problem();
    step_seconds_.push_back(seconds_between(step_begin, Clock::now()));
    if (sum != nullptr && !std::isfinite(*sum)) return end_not_finite(*sum);
  }
  if (signalled()) {
    if (mode != ExecutionMode::validation) return Success{};
    TrainingPosition const before{progress_.steps,      progress_.epochs, 0, 0, true,
                                  seconds_since_start()};
    save_before(Stop::signal, before, true);
    return Success{};
  }
  validated_ = true;
  PhaseResult result;
  result.mode = mode;
  result.epoch = mode == ExecutionMode::validation ? progress_.epochs - 1 : progress_.epochs;
  result.complete = step_of_phase_ == phase.size().steps();
  result.seconds = seconds_between(begin, Clock::now());
  return finish_phase(result);
}

double Sgd::mean(Measure const& measure, ExecutionMode mode) const {
  bool const training = mode == ExecutionMode::training;
  auto const* const sum =
      executor_.scalar_or_null<double>(training ? measure.train_sum : measure.evaluate_sum);
  return sum == nullptr ? std::numeric_limits<double>::quiet_NaN()
                        : *sum / static_cast<double>(samples_of_phase_);
}

bool Sgd::has(ExecutionMode mode) const {
  auto const& phase = phases_[static_cast<std::size_t>(mode)];
  return phase.has_value() && phase->size().samples > 0;
}

Result<Success> Sgd::evaluate_within_epoch() {
  auto const mode =
      has(ExecutionMode::validation) ? ExecutionMode::validation : ExecutionMode::testing;
  if (!has(mode) || signalled()) return Success{};
  auto const begin = Clock::now();
  auto const step = step_of_phase_, samples = samples_of_phase_;
  auto const waited = phase_waited_, due = status_.checkpoint_due;
  auto const iteration = iteration_;
  auto seconds = std::exchange(step_seconds_, {});
  within_epoch_ = true;
  begin_phase(mode);
  auto& phase = *phases_[static_cast<std::size_t>(mode)];
  auto const steps = options_.step_limit > 0 ? std::min(options_.step_limit, phase.size().steps())
                                             : phase.size().steps();
  Result<Success> done = Success{};
  while (done && step_of_phase_ < steps && !signalled())
    if (auto const batch = execute(phase); !batch) done = batch.problem();
  PhaseResult result;
  result.mode = mode;
  result.epoch = progress_.epochs;
  result.samples = samples_of_phase_;
  result.waited = phase_waited_;
  result.seconds = seconds_between(begin, Clock::now());
  result.complete = step_of_phase_ == phase.size().steps();
  result.objective = mean(run_.plan.objective, mode);
  for (std::size_t i = 0; i < metric_values_.size(); ++i)
    metric_values_[i] = shown(run_.plan.metrics[i], mean(run_.plan.metrics[i], mode));
  result.metrics = metric_values_;
  if (done && !signalled()) {
    if (objective_ != nullptr && !std::isfinite(result.objective))
      return end_not_finite(result.objective);
    done = agree(callbacks_.evaluated(result, progress_.steps));
  }
  within_epoch_ = false;
  step_of_phase_ = step;
  samples_of_phase_ = samples;
  phase_waited_ = waited;
  iteration_ = iteration;
  step_seconds_ = std::move(seconds);
  // Whether a checkpoint is due depends on steps of training alone.
  status_.checkpoint_due = due;
  return done;
}

Result<Success> Sgd::finish_phase(PhaseResult result) {
  bool const training = result.mode == ExecutionMode::training;
  result.samples = samples_of_phase_;
  result.waited = phase_waited_;
  result.objective = mean(run_.plan.objective, result.mode);
  for (std::size_t i = 0; i < metric_values_.size(); ++i)
    metric_values_[i] = shown(run_.plan.metrics[i], mean(run_.plan.metrics[i], result.mode));
  result.metrics = metric_values_;
  result.step_seconds = step_seconds_;
  if (auto done = evaluate_external_metrics(); !done) return done;
  // Callbacks may be collective here: first agree on problems of the last step.
  auto done = agree(step_problem_ ? Result<Success>(*step_problem_) : Success{});
  if (done && training && result.complete) {
    if (auto* const samples = executor_.scalar_or_null<double>(run_.plan.epoch_samples))
      *samples = static_cast<double>(samples_of_phase_);
    run_due(Moment::epoch_end, progress_.epochs);
  }
  if (done) done = agree(callbacks_.phase_end(result));
  if (options_.waits != nullptr)
    if (auto const line =
            options_.waits->end_pass(pass_text(result.mode, result.epoch), result.seconds))
      run_.log.line(*line);
  if (options_.waits != nullptr)
    if (auto const line = options_.waits->staging_progress()) run_.log.line(*line);
  run_.log.flush();
  stop_wanted_ = root_decision(callbacks_.want_stop());
  return done;
}

Result<Success> Sgd::evaluate_external_metrics() {
  Result<Success> done = Success{};
  bool any = false;
  for (std::size_t i = 0; i < metric_values_.size(); ++i) {
    auto const& metric = run_.plan.metrics[i];
    if (!metric.external) continue;
    any = true;
    if (done && executor_.rank() == 0) {
      auto const value =
          evaluate_external_metric(metric, run_.plan, run_.output_folder, run_.trainer);
      if (value)
        metric_values_[i] = value.value();
      else
        done = value.problem();
    }
    if (executor_.ranks() > 1)
      options_.trainer->broadcast(std::as_writable_bytes(std::span(&metric_values_[i], 1)), 0);
  }
  return any ? agree(std::move(done)) : done;
}

bool Sgd::root_decision(bool mine) const {
  auto decision = static_cast<std::byte>(mine ? 1 : 0);
  position().store(between_phases);
  if (executor_.ranks() > 1) options_.trainer->broadcast({&decision, 1}, 0);
  position().store(nullptr);
  return decision != std::byte{0};
}

std::string Sgd::step_text() const {
  return "in step " + std::to_string(step_of_phase_ - 1) + " of " +
         pass_text(iteration_.mode, iteration_.epoch);
}

std::string Sgd::pass_text(ExecutionMode mode, std::int64_t epoch) {
  if (mode == ExecutionMode::testing) return "the test";
  return (mode == ExecutionMode::validation ? "the validation of epoch " : "training epoch ") +
         std::to_string(epoch);
}

Result<TrainingResult> Sgd::train() {
  start_ = Clock::now();
  if (options_.checkpoints != nullptr) options_.checkpoints->remember_rates();
  if (auto done = agree(callbacks_.train_begin(executor_)); !done) return done.problem();
  run_due(Moment::training_begin, 0);
  if (auto done = resume(); !done) return done.problem();
  // From here on a signal must end the run in order: there are weights to save.
  SignalWatch const signals;
  epoch_complete_ = resumed_.validation_pending && has(ExecutionMode::validation);
  if (epoch_complete_)
    if (auto done = evaluate(ExecutionMode::validation); !done) return done.problem();
  Stop stop_reason = stop();
  end_epoch(stop_reason);
  if (!has(ExecutionMode::training) && stop_reason == Stop::not_yet) stop_reason = Stop::epochs;
  while (stop_reason == Stop::not_yet && !checkpoint_failed()) {
    if (auto done = training_epoch(); !done) return done.problem();
    validated_ = !has(ExecutionMode::validation);
    if (has(ExecutionMode::validation) && !signalled())
      if (auto done = evaluate(ExecutionMode::validation); !done) return done.problem();
    stop_reason = stop();
    end_epoch(stop_reason);
  }
  if (auto done = agree(callbacks_.finish_training(executor_, signalled())); !done)
    return done.problem();
  // Weights are saved whatever ended training; after a signal a test would take too long.
  if (options_.checkpoints != nullptr) options_.checkpoints->advance(false);
  if (auto done = agree(callbacks_.train_end()); !done) return done.problem();
  if (has(ExecutionMode::testing) && !signalled() && !checkpoint_failed())
    if (auto done = evaluate(ExecutionMode::testing); !done) return done.problem();
  if (auto done = agree(callbacks_.run_end()); !done) return done.problem();
  run_.log.flush();
  if (checkpoint_failed()) return *options_.checkpoints->problem();
  auto const signal = status_.signal();
  return TrainingResult{signal != 0 ? Stop::signal : stop_reason, signal, progress_.steps,
                        progress_.steps - resumed_.steps, seconds_to_first_step_};
}

}  // namespace lbann::runtime
