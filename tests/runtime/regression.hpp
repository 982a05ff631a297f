// A plan small enough to follow by hand: y = x . slope over three inputs, fitted by plain SGD.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/callbacks/callback.hpp"
#include "runtime/training/sgd.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::test {

/// Objective: mean of (y - response)^2. Metric `error`, in percent: mean of 100 |y - response|.
/// Learning rate 0.05, mini-batches of 8, 3 epochs; 20 samples to train, 8 to validate, 5 to test,
/// declared as synthetic ones.
Plan regression_plan();

/// Sample number `index` of a role: three inputs, then the response.
std::array<float, 4> regression_sample(ExecutionMode role, std::int64_t index);

/// Feeds of these samples, in order, for each role the plan has.
std::array<std::optional<runtime::Phase>, run_modes> regression_phases(Plan const& plan);

/// What the objective of each training step must be, in plain loops, with the learning rates of
/// epochs if these change.
std::vector<double> expected_objectives(Plan const& plan, std::array<float, 3> slope,
                                        std::vector<double> const& rates = {});

/// Adds the variant of `entry` that keeps `source`, in this shape.
void observe(Plan& plan, std::string const& entry, Observable observable, std::string const& name,
             std::string_view source, std::optional<Shape> shape = {});

/// A new empty folder, removed with all in it at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(ScratchFolder const&) = delete;
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A whole run without files: what it printed, how it ended, the slope it reached.
struct RunRecord {
  std::string console;
  std::string problem;
  runtime::TrainingResult ending;
  std::vector<runtime::StepResult> steps;
  std::vector<runtime::PhaseResult> phases;  ///< their spans are empty
  std::vector<double> metrics;               ///< first metric of each of `phases`
  std::vector<std::size_t> timed_steps;      ///< number of times of each of `phases`
  std::array<float, 3> first_slope{}, last_slope{};
};

RunRecord run_regression(Plan const& plan, std::filesystem::path const& work_directory,
                         runtime::SgdOptions const& options = {});

}  // namespace lbann::test
