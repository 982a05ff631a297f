// Binds the fields of a pass to inputs, and its mini-batch sizes to kernels.
#include "runtime/training/phase.hpp"

namespace lbann::runtime {

Result<Success> Phase::bind(Executor& executor, std::string_view entry) {
  fields_.clear();
  // A field that no instruction reads has no memory: its destination is null.
  for (auto const& field : source_->fields) fields_.push_back(executor.on_device(field.tensor));
  if (size_.samples == 0) return Success{};
  auto const plain = bind_sizes(executor, entry);
  if (!plain) return plain.problem();
  plain_ = plain.value();
  if (mode_ == ExecutionMode::training && executor.program().entry(accumulate_entry) != nullptr) {
    auto const accumulating = bind_sizes(executor, accumulate_entry);
    if (!accumulating) return accumulating.problem();
    accumulating_ = accumulating.value();
  }
  auto const variant = std::string(entry) + ".observed";
  if (executor.program().entry(variant) == nullptr) return Success{};
  auto const observed = bind_sizes(executor, variant);
  if (!observed) return observed.problem();
  observed_ = observed.value();
  return Success{};
}

Result<Phase::Bound> Phase::bind_sizes(Executor& executor, std::string_view entry) const {
  Bound all;
  for (auto const& size : sizes_.all(mode_))
    for (auto const samples : {size.micro_batch, size.last_micro_batch()}) {
      auto const bound = executor.bind(entry, samples);
      if (!bound) return bound.problem();
      all.push_back(bound.value());
    }
  return all;
}

}  // namespace lbann::runtime
