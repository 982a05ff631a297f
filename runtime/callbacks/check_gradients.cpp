// Compares gradients with finite differences of the objective on the first mini-batch of a phase.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/gradient_check.hpp"
#include "runtime/callbacks/probe.hpp"
#include "runtime/execution/whole_tensor.hpp"
#include "schemas/callbacks/execution_modes.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

/// Maximum number of wrong entries that are printed without `verbose`.
constexpr std::int64_t most_lines = 10;

class CheckGradients final : public Callback {
 public:
  CheckGradients(callbacks::check_gradients fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)), run_(run), span_(span) {}

  // Every rank changes the same entries, and computes its part of the objective.
  bool on_every_rank() const override { return true; }
  bool failed_check() const override { return failed_; }

  Result<Success> prepare(Probe& probe) override {
    probe_ = &probe;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      auto const mode = static_cast<ExecutionMode>(i);
      if (!callbacks::acts_in(fields_.execution_modes, mode) || !probe.has(mode)) continue;
      std::string const suffix = mode == ExecutionMode::training ? "train" : "evaluate";
      auto const objective = probe.bind("objective." + suffix, mode);
      if (!objective) return objective.problem();
      auto const gradients = probe.bind("gradients." + suffix, mode);
      if (!gradients) return gradients.problem();
      entries_[i] = {objective.value(), gradients.value()};
    }
    return find_trained();
  }

  Result<Success> phase_end(PhaseResult const& phase) override {
    // Training is checked at the end of the last epoch.
    return phase.mode == ExecutionMode::training ? Success{} : check(phase.mode);
  }
  Result<Success> train_end() override { return check(ExecutionMode::training); }

 private:
  struct Entries {
    BoundEntry const *objective = nullptr, *gradients = nullptr;
  };
  struct Trained {
    WeightsInfo const* weights;
    TensorId gradient;
  };

  Result<Success> find_trained() {
    auto const& executor = probe_->executor();
    auto const& tensors = run_.plan.program.tensors;
    for (auto const& weights : run_.plan.weights)
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].role != TensorRole::gradient || tensors[i].owner != weights.tensor) continue;
        if (executor.place(weights.tensor, 0).data == nullptr ||
            executor.place(TensorId(i), 0).data == nullptr)
          return Problem{located(run_.plan.sources, span_,
                                 "no instruction computes the gradient of weights `" +
                                     weights.name + "`; compile the experiment again")};
        trained_.push_back({&weights, TensorId(i)});
      }
    return Success{};
  }

  Result<Success> check(ExecutionMode mode) {
    auto const& entries = entries_[static_cast<std::size_t>(mode)];
    if (entries.gradients == nullptr) return Success{};
    if (auto loaded = probe_->load_first(mode); !loaded) return loaded;
    auto const& objective = probe_->executor().scalar<double>(run_.plan.objective.step_value);
    probe_->run(*entries.gradients);
    auto const scale = DifferenceScale::of(objective, fields_.step_size, coarsest_type());
    auto const where = std::string(name_of(mode)) + " gradient check";
    run_.log.line(fmt::format("{}: objective {}, step {:g}, tolerance {:g}", where, objective,
                              scale.step, scale.tolerance));
    if (std::isnan(scale.tolerance) && std::isfinite(objective))
      run_.log.line("warning: " + where +
                    ": a negative objective has no tolerance, only what is not finite is wrong");
    std::int64_t count = 0, wrong = 0;
    double largest = 0;
    std::string first;
    auto const& executor = probe_->executor();
    for (auto const& trained : trained_) {
      auto const tensor = trained.weights->tensor;
      // Where ranks hold parts, all vary a copy of the whole and take their parts of it.
      WholeTensor const values(executor, tensor, Wanted::everywhere),
          gradient(executor, trained.gradient, Wanted::everywhere);
      auto const put = [&] {
        if (executor.program().is_split(tensor))
          take_part(part_of(executor, tensor), values.bytes().data());
        executor.put(tensor);
      };
      compare_gradients(
          values.view(), gradient.view(), scale,
          [&] {
            put();
            probe_->run(*entries.objective);
            return objective;
          },
          [&](GradientEntry const& entry) {
            ++count;
            largest = std::fmax(largest, entry.error());
            if (entry.wrong) ++wrong;
            if (!fields_.verbose && !(entry.wrong && wrong <= most_lines)) return;
            auto const entry_text = describe(*trained.weights, entry);
            if (entry.wrong && wrong == 1) first = entry_text;
            run_.log.line(where + ": " + (entry.wrong ? "wrong: " : "") + entry_text);
          });
      put();
    }
    run_.log.line(fmt::format("{}: {} of {} gradients wrong, largest difference {:g}", where, wrong,
                              count, largest));
    if (wrong == 0 || !fields_.error_on_failure) return Success{};
    failed_ = true;
    return Problem{
        located(run_.plan.sources, span_,
                fmt::format("{}: {} of {} gradients are wrong (tolerance {:g}), first {}", where,
                            wrong, count, scale.tolerance, first))};
  }

  /// The least precise type of the values that depend on weights.
  DataType coarsest_type() const {
    auto const is_coarse = [](LayerInfo const& layer) {
      return compute_type_of(layer.datatype) == DataType::f32 &&
             !(layer.parents.empty() && layer.weights.empty());
    };
    bool const coarse = std::ranges::any_of(run_.plan.layers, is_coarse) ||
                        std::ranges::any_of(trained_, [&](Trained const& each) {
                          return run_.plan.program[each.weights->tensor].type.type == DataType::f32;
                        });
    return coarse ? DataType::f32 : DataType::f64;
  }

  static std::string describe(WeightsInfo const& weights, GradientEntry const& entry) {
    return fmt::format(
        "weights `{}` entry {} of value {:g}: gradient {}, differences {}, apart {:g}",
        weights.name, entry.entry, entry.value, entry.gradient, entry.difference, entry.error());
  }

  callbacks::check_gradients fields_;
  CallbackContext const& run_;
  Span span_;
  Probe* probe_ = nullptr;
  std::array<Entries, run_modes> entries_;  ///< by ExecutionMode
  std::vector<Trained> trained_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::check_gradients const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<CheckGradients>(fields, run, span);
}

}  // namespace lbann::runtime
