// What callbacks that write weights between steps share.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "runtime/callbacks/callbacks.hpp"

namespace lbann::runtime {

/// Writes weights before or after steps, on every rank alike: ranks then share none (the list in
/// schemas/specialization/gather_factors.cpp).
class WeightsChange : public Observer {
 public:
  bool on_every_rank() const override { return true; }
  bool observes_steps() const override { return true; }
};

/// The weights of this name, in memory.
inline kernels::View view_of(RunView const& run, std::string const& name) {
  auto const found = std::ranges::find(run.plan.weights, name, &WeightsInfo::name);
  return found == run.plan.weights.end() ? kernels::View{} : run.executor.view(found->tensor, 0);
}

/// Calls `change` with the entries of a view, in their type.
template <class Change>
void change_entries(kernels::View const& view, Change const& change) {
  if (view.data == nullptr) return;
  auto const count = static_cast<std::size_t>(view.elements());
  if (view.type == DataType::f64) change(std::span(view.as<double>(), count));
  if (view.type == DataType::f32) change(std::span(view.as<float>(), count));
}

}  // namespace lbann::runtime
