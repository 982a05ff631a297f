// The number of entries of all weights, kept in one of them.
#include "runtime/callbacks/weights_change.hpp"

namespace lbann::runtime {

namespace {

class ComputeModelSize final : public WeightsChange {
 public:
  ComputeModelSize(callbacks::compute_model_size const& fields, RunView const& run)
      : interval_(fields.batch_interval), view_(view_of(run, fields.output_name)) {
    for (auto const& weights : run.plan.weights) {
      std::int64_t entries = 1;
      for (auto const size : weights.dims) entries *= size;
      size_ += entries;
    }
  }

  void step_begin(std::int64_t step) override {
    if (step % interval_ != 0) return;
    change_entries(view_, [&]<class T>(std::span<T> entries) {
      std::ranges::fill(entries, static_cast<T>(size_));
    });
  }

 private:
  std::int64_t interval_;
  kernels::View view_;
  std::int64_t size_ = 0;
};

}  // namespace

std::unique_ptr<Observer> observer_of(callbacks::compute_model_size const& fields,
                                      RunView const& run, Span) {
  return std::make_unique<ComputeModelSize>(fields, run);
}

}  // namespace lbann::runtime
