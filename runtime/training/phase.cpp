// Binding a pass: fields to inputs, mini-batch sizes to kernels.
#include "runtime/training/phase.hpp"

namespace lbann::runtime {

Result<Success> Phase::bind(Executor& executor, std::string_view entry) {
  fields_.clear();
  // A field that no instruction reads has no place: its destination is null.
  for (auto const& field : source_->fields)
    fields_.push_back(executor.view(field.tensor, 0).as<std::byte>());
  if (size_.samples == 0) return Success{};
  auto const plain = bind_pair(executor, entry);
  if (!plain) return plain.problem();
  plain_ = plain.value();
  auto const variant = std::string(entry) + ".observed";
  if (executor.program().entry(variant) == nullptr) return Success{};
  auto const observed = bind_pair(executor, variant);
  if (!observed) return observed.problem();
  observed_ = observed.value();
  return Success{};
}

Result<Phase::Pair> Phase::bind_pair(Executor& executor, std::string_view entry) const {
  auto const full = executor.bind(entry, size_.mini_batch);
  if (!full) return full.problem();
  auto const last = executor.bind(entry, size_.last_mini_batch());
  if (!last) return last.problem();
  return Pair{full.value(), last.value()};
}

}  // namespace lbann::runtime
