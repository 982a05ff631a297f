// The plan in its text form, its data, and runs of it.
#include "tests/runtime/regression.hpp"

#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "runtime/callbacks/make_callback.hpp"
#include "runtime/callbacks/schedule_log.hpp"
#include "runtime/observation/finite_check.hpp"
#include "schemas/data_readers/synthetic.hpp"

namespace lbann::test {

namespace {

TensorId tensor_named(Plan const& plan, std::string_view name) {
  for (std::size_t i = 0; i < plan.program.tensors.size(); ++i)
    if (plan.program.tensors[i].name == name) return TensorId(i);
  throw std::runtime_error("no tensor " + std::string(name));
}

constexpr std::string_view program_text = R"(
tensor samples: input f32 [batch, 3] split [[data], []]
tensor responses: input f32 [batch, 1] split [[data], []]
tensor mini_batch: input f64 []
tensor first_sample: input i64 []
tensor seed: statistic i64 []
tensor step: statistic i64 []
tensor slope: weights f32 [3] from slope
tensor slope/rate: statistic f64 []
tensor slope/gradient: gradient f32 [3] of slope
tensor flat: activation f32 [batch] split [[data]] from line
tensor line: activation f32 [batch, 1] split [[data], []] from line
tensor residual: activation f32 [batch, 1] split [[data], []] from loss
tensor squares: activation f64 [] partial [data] from loss
tensor squares/sum: activation f64 [] from loss
tensor magnitudes: activation f64 [] partial [data] from error
tensor magnitudes/sum: activation f64 [] from error
tensor objective: result f64 [] from objective
tensor objective/sum: statistic f64 []
tensor objective/evaluate_sum: statistic f64 []
tensor error/sum: statistic f64 []
tensor error/evaluate_sum: statistic f64 []
entry initialize:
  slope = random(seed, step, first_sample) {distribution: uniform, first: -1, second: 1, key: 7, shape: [3], type: f32}
  slope/rate = map() {expression: (0.05), shape: [], compute: f64, types: [f64]}
entry train:
  flat = reduce(samples, slope) {expression: (multiply(i0, i1)), shape: [batch, 3], axes: [1], type: f32} from line
  line = reshape(flat) {shape: [batch, 1]} from line
  residual = map(line, responses) {expression: (subtract(i0, i1)), shape: [batch, 1], types: [f32]} from loss
  squares = reduce(residual) {expression: (square(i0)), shape: [batch, 1], axes: [0, 1], type: f64} from loss
  squares/sum = all_reduce(squares) {mesh_axes: [data]} from loss
  magnitudes = reduce(residual) {expression: (abs(i0)), shape: [batch, 1], axes: [0, 1], type: f64} from error
  magnitudes/sum = all_reduce(magnitudes) {mesh_axes: [data]} from error
  objective = map(squares/sum, mini_batch) {expression: (divide(i0, i1)), shape: [], compute: f64, types: [f64]} from objective
  objective/sum = map(objective/sum, squares/sum) {expression: (add(i0, i1)), shape: [], compute: f64, types: [f64]}
  error/sum = map(error/sum, magnitudes/sum) {expression: (add(i0, i1)), shape: [], compute: f64, types: [f64]}
  slope/gradient = reduce(samples, residual, mini_batch) {expression: (divide(multiply(i0, multiply(i1, 2)), i2)), shape: [batch, 3], axes: [0], type: f32}
  slope/gradient = all_reduce(slope/gradient) {mesh_axes: [data]}
  slope = map(slope, slope/gradient, slope/rate) {expression: (subtract(i0, multiply(i1, i2))), shape: [3], types: [f32]}
entry evaluate:
  flat = reduce(samples, slope) {expression: (multiply(i0, i1)), shape: [batch, 3], axes: [1], type: f32} from line
  line = reshape(flat) {shape: [batch, 1]} from line
  residual = map(line, responses) {expression: (subtract(i0, i1)), shape: [batch, 1], types: [f32]} from loss
  squares = reduce(residual) {expression: (square(i0)), shape: [batch, 1], axes: [0, 1], type: f64} from loss
  squares/sum = all_reduce(squares) {mesh_axes: [data]} from loss
  magnitudes = reduce(residual) {expression: (abs(i0)), shape: [batch, 1], axes: [0, 1], type: f64} from error
  magnitudes/sum = all_reduce(magnitudes) {mesh_axes: [data]} from error
  objective/evaluate_sum = map(objective/evaluate_sum, squares/sum) {expression: (add(i0, i1)), shape: [], compute: f64, types: [f64]}
  error/evaluate_sum = map(error/evaluate_sum, magnitudes/sum) {expression: (add(i0, i1)), shape: [], compute: f64, types: [f64]}
)";

class RegressionFeed final : public runtime::Feed {
 public:
  RegressionFeed(ExecutionMode role, runtime::PhaseSizes sizes)
      : role_(role), sizes_(std::move(sizes)) {}
  void begin(std::int64_t pass, std::int64_t first_batch) override {
    size_ = sizes_.of(role_, pass);
    next_ = first_batch * size_.mini_batch;
  }
  Result<runtime::MiniBatch> next(std::span<std::byte* const> fields, Copy copy) override {
    auto const count = std::min(size_.mini_batch, size_.samples - next_);
    inputs_.clear();
    responses_.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      auto const sample = regression_sample(role_, next_ + i);
      inputs_.insert(inputs_.end(), sample.begin(), sample.begin() + 3);
      responses_.push_back(sample[3]);
    }
    copy(fields[0], inputs_.data(), inputs_.size() * sizeof(float));
    copy(fields[1], responses_.data(), responses_.size() * sizeof(float));
    next_ += count;
    return runtime::MiniBatch{count, count, next_ - count};
  }

 private:
  ExecutionMode role_;
  runtime::PhaseSizes sizes_;
  runtime::PhaseSize size_;
  std::vector<float> inputs_, responses_;  ///< of the last mini-batch
  std::int64_t next_ = 0;
};

/// Writes down all it is shown.
class Recorder final : public runtime::Callback {
 public:
  explicit Recorder(RunRecord& record) : record_(record) {}
  bool observes_steps() const override { return true; }
  Result<Success> step_end(runtime::StepResult const& step) override {
    record_.steps.push_back(step);
    return Success{};
  }
  Result<Success> phase_end(runtime::PhaseResult const& phase) override {
    record_.phases.push_back(phase);
    record_.metrics.push_back(phase.metrics[0]);
    record_.timed_steps.push_back(phase.step_seconds.size());
    return Success{};
  }

 private:
  RunRecord& record_;
};

std::int64_t samples_of(Plan const& plan, std::size_t role) {
  for (auto const& source : plan.data)
    if (static_cast<std::size_t>(source.role) == role) return source.samples;
  return 0;
}

runtime::PhaseSizes sizes_of(Plan const& plan) {
  return {plan, {samples_of(plan, 0), samples_of(plan, 1), samples_of(plan, 2)}};
}

}  // namespace

Plan regression_plan() {
  auto program = parse_program(program_text);
  if (!program) throw std::runtime_error(program.problem().message);
  Plan plan;
  plan.experiment = "regression";
  plan.sources = {{"regression.yaml", "model:\n  layers: none\n  weights: slope\n"}};
  plan.mini_batch_size = 8;
  plan.training.max_epochs = 3;
  plan.program = std::move(program).value();
  auto const tensor = [&](std::string_view name) {
    for (std::size_t i = 0; i < plan.program.tensors.size(); ++i)
      if (plan.program.tensors[i].name == name) return TensorId(i);
    throw std::runtime_error("no tensor " + std::string(name));
  };
  Span const weights_line{0, 33, 38};
  plan.program[tensor("objective")].origin.span = Span{0, 9, 15};
  plan.mini_batch = tensor("mini_batch");
  plan.first_sample = tensor("first_sample");
  plan.seed = tensor("seed");
  plan.step = tensor("step");
  plan.objective = {"objective", "", tensor("objective"), tensor("objective/sum"),
                    tensor("objective/evaluate_sum")};
  plan.metrics = {{"error", "%", {}, tensor("error/sum"), tensor("error/evaluate_sum")}};
  plan.weights = {{"slope", {3}, tensor("slope"), "sgd", tensor("slope/rate"), weights_line, {}}};
  plan.layers = {{"line",
                  "fully_connected",
                  {"samples"},
                  {},
                  {"slope"},
                  {{1}},
                  DataType::f32,
                  "",
                  Span{0, 9, 15}}};
  std::array<std::int64_t, 3> const samples = {20, 8, 5};
  for (std::size_t role = 0; role < samples.size(); ++role) {
    DataSource source;
    source.role = static_cast<ExecutionMode>(role);
    data_readers::synthetic reader;
    reader.role = source.role;
    reader.num_samples = samples[role];
    reader.synth_dimensions = {3};
    reader.synth_response_dimensions = {1};
    source.reader = {to_record(reader), Span{0, 9, 15}};
    source.fields = {{"samples", {3}, tensor("samples")}, {"responses", {1}, tensor("responses")}};
    source.samples = samples[role];
    plan.data.push_back(std::move(source));
  }
  return plan;
}

std::array<float, 4> regression_sample(ExecutionMode role, std::int64_t index) {
  auto const at = [&](int k) {
    return std::sin(0.7F * static_cast<float>(index) + 1.3F * static_cast<float>(k) +
                    2.1F * static_cast<float>(role));
  };
  std::array<float, 4> sample = {at(1), at(2), at(3), 0};
  sample[3] = 0.5F * sample[0] - 0.25F * sample[1] + sample[2];
  return sample;
}

std::array<std::optional<runtime::Phase>, run_modes> regression_phases(Plan const& plan) {
  std::array<std::optional<runtime::Phase>, run_modes> phases;
  auto const sizes = sizes_of(plan);
  for (std::size_t role = 0; role < phases.size(); ++role) {
    if (samples_of(plan, role) == 0) continue;
    auto const mode = static_cast<ExecutionMode>(role);
    phases[role].emplace(std::make_unique<RegressionFeed>(mode, sizes), sizes, mode,
                         plan.data[role]);
  }
  return phases;
}

std::vector<double> expected_objectives(Plan const& plan, std::array<float, 3> slope,
                                        std::vector<double> const& rates) {
  std::vector<double> objectives;
  auto const samples = samples_of(plan, 0);
  for (std::int64_t epoch = 0; epoch < plan.training.max_epochs; ++epoch) {
    auto const rate = rates.empty() ? 0.05 : rates[static_cast<std::size_t>(epoch)];
    auto mini_batch = plan.mini_batch_size;
    for (auto const& change : plan.training.mini_batches)
      if (change.epoch <= epoch) mini_batch = change.mini_batch;
    for (std::int64_t first = 0; first < samples; first += mini_batch) {
      auto const count = std::min(mini_batch, samples - first);
      double objective = 0;
      std::array<double, 3> gradient{};
      for (std::int64_t i = first; i < first + count; ++i) {
        auto const sample = regression_sample(ExecutionMode::training, i);
        double residual = -double{sample[3]};
        for (std::size_t k = 0; k < 3; ++k) residual += double{sample[k]} * double{slope[k]};
        objective += residual * residual / static_cast<double>(count);
        for (std::size_t k = 0; k < 3; ++k)
          gradient[k] += 2 * residual * double{sample[k]} / static_cast<double>(count);
      }
      objectives.push_back(objective);
      for (std::size_t k = 0; k < 3; ++k) slope[k] -= static_cast<float>(rate * gradient[k]);
    }
  }
  return objectives;
}

void observe(Plan& plan, std::string const& entry, Observable observable, std::string const& name,
             std::string_view source, std::optional<Shape> shape) {
  auto& program = plan.program;
  auto const from = tensor_named(plan, source);
  Tensor result;
  result.name = "observed." + entry + std::to_string(plan.observations.size());
  result.type = {program[from].type.type, shape.value_or(program[from].type.shape)};
  result.role = TensorRole::result;
  result.distribution = program[from].distribution;
  if (shape) result.distribution.split.resize(shape->rank());
  auto const kept = result.type.shape;
  auto const id = program.add(std::move(result));
  auto const variant = entry + ".observed";
  if (program.entry_point(variant) == nullptr) {
    auto copy = *program.entry_point(entry);
    copy.name = variant;
    program.entry_points.push_back(std::move(copy));
  }
  program.entry_point(variant)->instructions.push_back(
      {operators::reshape{kept}, {from}, {id}, {}});
  plan.observations.push_back({observable, name, 0, entry, id});
  auto const fault = verify(plan);
  if (fault) throw std::runtime_error(*fault);
}

ScratchFolder::ScratchFolder() {
  auto pattern = (std::filesystem::temp_directory_path() / "lbann_test_XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

RunRecord run_regression(Plan const& plan, std::filesystem::path const& work_directory,
                         runtime::SgdOptions const& options) {
  using namespace runtime;
  RunRecord record;
  auto const sizes = sizes_of(plan);
  auto executor = Executor::create(plan, sizes.largest_micro_batch(), kernels::Selection::best);
  if (!executor) throw std::runtime_error(executor.problem().message);
  auto* const console = std::tmpfile();
  {
    Log log(console);
    CallbackContext const view{
        plan,           *executor.value(),           log, sizes, work_directory,
        work_directory, work_directory.parent_path()};
    auto phases = regression_phases(plan);
    Callbacks callbacks;
    for (auto const& declared : plan.callbacks)
      if (auto added = add_declared(declared, view, callbacks); !added)
        throw std::runtime_error(added.problem().message);
    if (auto schedules = schedule_log(view)) callbacks.add(std::move(schedules), "schedules");
    callbacks.add(std::make_unique<Recorder>(record), "recorder");
    auto seeded = options;
    seeded.seed = plan.random_seed;
    FiniteCheck finite(plan);
    if (callbacks.wants_finite_check()) seeded.finite = &finite;
    Sgd sgd(view, *executor.value(), callbacks, phases, seeded);
    if (auto prepared = sgd.prepare(); !prepared)
      throw std::runtime_error(prepared.problem().message);
    sgd.initialize();
    auto const slope = [&] { return executor.value()->read(plan.weights[0].tensor, 0).data; };
    std::memcpy(record.first_slope.data(), slope(), sizeof record.first_slope);
    auto const ending = sgd.train();
    std::memcpy(record.last_slope.data(), slope(), sizeof record.last_slope);
    if (ending)
      record.ending = ending.value();
    else
      record.problem = ending.problem().message;
  }
  std::rewind(console);
  for (int c = std::fgetc(console); c != EOF; c = std::fgetc(console))
    record.console += static_cast<char>(c);
  std::fclose(console);
  return record;
}

}  // namespace lbann::test
