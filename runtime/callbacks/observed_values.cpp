// Gathers observed values: ranks hold consecutive samples of a mini-batch, in rank order.
#include "runtime/callbacks/observed_values.hpp"

#include <cstring>

#include "runtime/execution/whole_tensor.hpp"

namespace lbann::runtime {

std::int64_t GatheredValue::columns() const {
  std::int64_t product = 1;
  for (std::size_t i = 1; i < dims.size(); ++i) product *= dims[i];
  return product;
}

double GatheredValue::at(std::int64_t index) const {
  auto const* from = data.data() + index * static_cast<std::int64_t>(bytes_of(type));
  if (type == DataType::f64) {
    double value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  float value;
  std::memcpy(&value, from, sizeof value);
  return double{value};
}

GatheredValue gather(CallbackContext const& run, TensorId tensor, Iteration const& iteration) {
  if (run.executor.program().is_split(tensor)) {
    WholeTensor const whole(run.executor, tensor);
    auto const& view = whole.view();
    GatheredValue value;
    value.type = view.type;
    value.dims.assign(view.extents.begin(), view.extents.begin() + view.rank);
    value.data.assign(whole.bytes().begin(), whole.bytes().end());
    return value;
  }
  auto const view = run.executor.read(tensor, iteration.local);
  auto const& shape = run.plan.program[tensor].type.shape;
  bool const batched = shape.has_batch();
  std::span<std::byte const> const own(
      view.as<std::byte>(), static_cast<std::size_t>(view.elements()) * bytes_of(view.type));
  GatheredValue value;
  value.type = view.type;
  value.dims.assign(view.extents.begin(), view.extents.begin() + view.rank);
  if (run.ranks == nullptr || run.ranks->size() == 1 || !batched) {
    if (run.is_root()) value.data.assign(own.begin(), own.end());
    return value;
  }
  for (auto const& part : run.ranks->gather(own))
    value.data.insert(value.data.end(), part.begin(), part.end());
  auto const row = static_cast<std::size_t>(value.columns()) * bytes_of(view.type);
  value.dims[0] = row == 0 ? 0 : static_cast<std::int64_t>(value.data.size() / row);
  return value;
}

std::vector<Observation const*> observations_of(Plan const& plan, Observable observable,
                                                ExecutionMode mode) {
  std::string const entry = mode == ExecutionMode::training ? "train" : "evaluate";
  std::vector<Observation const*> found;
  for (auto const& observation : plan.observations)
    if (observation.observable == observable && observation.entry == entry)
      found.push_back(&observation);
  return found;
}

}  // namespace lbann::runtime
