// Checks outputs in host memory.
#include "runtime/observation/finite_check.hpp"

#include <cmath>

#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

/// Number of the first entry that is not finite, or -1.
template <class T>
std::int64_t first_not_finite(kernels::View const& view) {
  auto const* const values = view.as<T>();
  for (std::int64_t i = 0; i < view.elements(); ++i)
    if (!std::isfinite(values[i])) return i;
  return -1;
}

std::int64_t first_not_finite(kernels::View const& view) {
  if (view.data == nullptr) return -1;
  if (view.type == DataType::f32) return first_not_finite<float>(view);
  if (view.type == DataType::f64) return first_not_finite<double>(view);
  return -1;  // integers
}

std::string value_at(kernels::View const& view, std::int64_t i) {
  auto const value =
      view.type == DataType::f32 ? static_cast<double>(view.as<float>()[i]) : view.as<double>()[i];
  return std::isnan(value) ? "not a number" : value > 0 ? "infinite" : "minus infinite";
}

}  // namespace

/// `view`, or a copy of it where it lies in the device's memory.
kernels::View FiniteCheck::on_host(kernels::View view) {
  if (!device::has_own_memory() || view.data == nullptr) return view;
  copy_.resize(view.bytes());
  device::copy_to_host(copy_.data(), view.data, copy_.size());
  device::synchronize();
  view.data = copy_.data();
  return view;
}

void FiniteCheck::check_outputs(BoundEntry const& entry, BoundEntry::Step const& step) {
  auto const& instruction = entry.entry->instructions[step.instruction];
  for (auto const& written : entry.written[step.instruction]) {
    auto const view = on_host(written);
    auto const at = first_not_finite(view);
    if (at < 0) continue;
    problem_ = Problem{located(plan_.sources, instruction.origin.span,
                               "`" + instruction.origin.name + "` has an output that is " +
                                   value_at(view, at) + " at entry " + std::to_string(at) +
                                   ", the first such number of this step (" +
                                   (step.description == nullptr ? std::string("--check-finite")
                                                                : std::string(step.description)) +
                                   ")")};
    return;
  }
}

void FiniteCheck::run(BoundEntry const& entry) {
  Executor::run(entry, [&](BoundEntry::Step const& step) {
    step.kernel->run();
    // The result of a collective is complete after its await.
    bool const written =
        step.kind == BoundEntry::Kind::compute || step.kind == BoundEntry::Kind::await;
    if (written && !problem_) check_outputs(entry, step);
  });
}

}  // namespace lbann::runtime
