// Binding a pass: fields to inputs, mini-batch sizes to kernels.
#include "runtime/training/phase.hpp"

namespace lbann::runtime {

Result<Success> Phase::bind(Executor& executor, std::string_view entry) {
  fields_.clear();
  // A field that no instruction reads has no place: its destination is null.
  for (auto const& field : source_->fields)
    fields_.push_back(executor.view(field.tensor, 0).as<std::byte>());
  if (size_.samples == 0) return Success{};
  auto full = executor.bind(entry, executor.local_samples(size_.mini_batch));
  if (!full) return full.problem();
  full_ = full.value();
  auto last = executor.bind(entry, executor.local_samples(size_.last_mini_batch()));
  if (!last) return last.problem();
  last_ = last.value();
  return Success{};
}

}  // namespace lbann::runtime
