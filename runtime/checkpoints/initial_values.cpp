// Files of numpy_initializer.
#include "runtime/checkpoints/initial_values.hpp"

#include "runtime/execution/whole_tensor.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/samples/data_places.hpp"
#include "schemas/samples/npy_file.hpp"

namespace lbann::runtime {

namespace {

Result<Success> load(WeightsInfo const& weights, kernels::View const& view,
                     DataPlaces const& places) {
  auto const path = places.find_file(weights.file);
  if (!path) return path.problem();
  auto file = open_npy_file(path.value());
  if (!file) return file.problem();
  auto& array = file.value();
  using Number = NpyFile::Number;
  if (array.number != Number::f4 && array.number != Number::f8)
    return Problem{'`' + path.value() + "`: its numbers are neither float32 nor float64"};
  auto const count = array.numbers;
  if (count != view.elements())
    return Problem{'`' + path.value() + "`: it holds " + std::to_string(count) + " numbers, but " +
                   std::to_string(view.elements()) + " are needed"};
  if (auto loaded = array.load(true); !loaded) return loaded;
  return array.each(0, count, [&](std::int64_t i, double value) {
    if (view.type == DataType::f64)
      view.as<double>()[i] = value;
    else
      view.as<float>()[i] = static_cast<float>(value);
  });
}

}  // namespace

Result<Success> load_initial_values(Plan const& plan, Executor const& executor,
                                    std::string const& data_root) {
  DataPlaces const places{data_root};
  for (auto const& weights : plan.weights) {
    if (weights.file.empty()) continue;
    auto const part = part_of(executor, weights.tensor);
    if (part.memory == nullptr) continue;
    std::vector<std::byte> room;  // for the whole, where this rank holds a part
    if (!part.is_whole()) room.resize(static_cast<std::size_t>(part.bytes_of_whole()));
    auto const whole = kernels::make_view(part.is_whole() ? part.memory : room.data(),
                                          {part.type, Shape(part.extents)}, 0);
    if (auto const loaded = load(weights, whole, places); !loaded)
      return Problem{
          located(plan.sources, weights.span,
                  "values of weights `" + weights.name + "`: " + loaded.problem().message)};
    if (!part.is_whole()) take_part(part, room.data());
    executor.put(weights.tensor);
  }
  return Success{};
}

}  // namespace lbann::runtime
