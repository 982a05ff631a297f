// Each real number as the type it is converted to.
#include "compiler/experiment/reading/number_ranges.hpp"

#include <cmath>

#include "compiler/experiment/values/expression.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// What becomes of a number in `float`; empty where it stays what it is, but for rounding.
std::string_view changed_in_float(double number) {
  auto const held = static_cast<float>(number);
  if (std::isinf(held)) return "infinite";
  return held == 0 && number != 0 ? "0" : "";
}

void check(Declaration const& declaration, DataType type, Report& report) {
  if (!declaration || compute_type_of(type) != DataType::f32) return;
  auto const record = declaration.type->record(declaration.object.get());
  for (std::size_t i = 0; i < record.fields.size(); ++i) {
    // Defaults are ours; some stand for no number at all.
    if (!declaration.field_spans[i].known()) continue;
    auto const& [name, value] = record.fields[i];
    std::vector<double> numbers;
    if (auto const* one = std::get_if<double>(&value)) numbers = {*one};
    if (auto const* list = std::get_if<std::vector<double>>(&value)) numbers = *list;
    for (auto const number : numbers)
      if (auto const becomes = changed_in_float(number); !becomes.empty())
        report.add(diagnostics::not_in_float, declaration.field_spans[i],
                   {name, to_text(Scalar(number)), std::string(becomes)});
  }
}

}  // namespace

void check_number_ranges(Experiment const& experiment, Report& report) {
  auto const model = experiment.type;
  for (auto const& layer : experiment.layers)
    check(layer.declaration, layer.datatype.value_or(model), report);
  for (auto const& weights : experiment.weights) {
    check(weights.initializer, weights.datatype.value_or(model), report);
    check(weights.optimizer, weights.datatype.value_or(model), report);
  }
  for (auto const& term : experiment.objective) check(term.declaration, model, report);
  check(experiment.optimizer, model, report);
}

}  // namespace lbann::compiler
