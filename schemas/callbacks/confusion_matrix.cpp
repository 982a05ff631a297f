// Whether two layers can be compared class by class.
#include "schemas/callbacks/confusion_matrix.hpp"

#include "schemas/diagnostics/graph.hpp"
#include "schemas/diagnostics/passes.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::callbacks {

void confusion_matrix::check(ModelView const& model, Findings& findings) const {
  std::vector<std::vector<std::int64_t>> dims;
  for (auto const& [field, layer_name] :
       {std::pair("prediction", &prediction), std::pair("label", &label)}) {
    auto const* layer = model.find_layer(*layer_name);
    if (layer == nullptr) return;  // reported as a reference
    if (layer->outputs.empty())
      findings.add(diagnostics::unknown_output, field, {*layer_name, "0"});
    else
      dims.push_back(layer->outputs[0]);
  }
  auto const text = [](std::vector<std::int64_t> const& sizes) { return to_text(Shape(sizes)); };
  if (dims.size() == 2 && dims[0] != dims[1])
    findings.add(diagnostics::unequal_inputs, {},
                 {std::string(name), text(dims[0]), "1", text(dims[1])});
  for (auto const& sizes : dims)
    if (auto const classes = checked_product(sizes); !classes || *classes > most_classes)
      return findings.add(diagnostics::too_many_classes, {},
                          {std::string(name), std::to_string(most_classes), text(sizes)});
}

}  // namespace lbann::callbacks
