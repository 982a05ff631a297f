// A layer that is one map, compiled and run by every kernel of map.
#include "tests/layers/map_layer.hpp"

#include <doctest/doctest.h>

#include "schemas/expression/builder.hpp"
#include "tests/compiler/layers/layer_case.hpp"

namespace lbann::testing {

MapLayer::MapLayer(std::string_view declaration, std::size_t inputs,
                   std::vector<std::int64_t> const& dims, DataType type) {
  auto const compiled =
      compiler::run_layer(declaration, std::vector<compiler::Dims>(inputs, dims), 1, type);
  REQUIRE_MESSAGE(compiled.messages.empty(), declaration);
  auto const& instruction = compiled.program.entry_point("train")->instructions.at(0);
  REQUIRE_MESSAGE(std::holds_alternative<operators::map>(instruction.op), declaration);
  REQUIRE_MESSAGE(std::count(compiled.train.begin(), compiled.train.end(), '\n') == 1, declaration);
  map_ = std::get<operators::map>(instruction.op);
  for (auto const input : instruction.inputs)
    read_.push_back(static_cast<std::size_t>(std::stoi(compiled.program[input].name.substr(1))));
}

Values MapLayer::run(operators::map const& map, std::vector<Values> const& operands,
                     std::int64_t samples) const {
  KernelCase call(map, TensorTypes(operands.size(), {map.compute, map.shape}), samples);
  for (std::size_t i = 0; i < operands.size(); ++i) call.set(i, operands[i]);
  call.check(map.compute == DataType::f64 ? 1e-12 : 1e-5);
  return call.run(*implementation_of(map, family()))[0];
}

Values MapLayer::output(std::vector<Values> const& inputs, std::int64_t samples) const {
  std::vector<Values> operands;
  for (auto const number : read_) operands.push_back(inputs[number]);
  return run(map_, operands, samples);
}

Values MapLayer::gradient(std::size_t index, std::vector<Values> const& inputs, Values const& dy,
                          std::int64_t samples) const {
  auto const operand = std::find(read_.begin(), read_.end(), index) - read_.begin();
  auto gradient = gradient_of(map_.expression, static_cast<std::size_t>(operand), {true});
  if (!gradient) return {};
  std::vector<Values> all;
  for (auto const number : read_) all.push_back(inputs[number]);
  all.push_back(output(inputs, samples));
  all.push_back(dy);
  auto const used = used_operands(*gradient);
  std::vector<std::size_t> numbers(all.size(), 0);
  std::vector<Values> operands;
  for (auto const number : used) {
    numbers[number] = operands.size();
    operands.push_back(all[number]);
  }
  return run({renumbered(*gradient, numbers), map_.shape, map_.compute, {map_.compute}}, operands,
             samples);
}

}  // namespace lbann::testing
