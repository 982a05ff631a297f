// Weights of layers copied to others.
#include "compiler/callbacks/replace_weights.hpp"

#include "compiler/callbacks/callback.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::callbacks {

namespace {

std::string counted(std::size_t number) {
  return std::to_string(number) + " layer" + (number == 1 ? "" : "s");
}

/// Why the weights of one layer cannot be copied to those of the other, in a text each.
std::vector<std::string> differences(ModelView const& model, ModelView::Layer const& from,
                                     ModelView::Layer const& to) {
  if (from.weights.size() != to.weights.size())
    return {std::to_string(to.weights.size()) + " of the one, " +
            std::to_string(from.weights.size()) + " of the other"};
  std::vector<std::string> found;
  for (std::size_t i = 0; i < from.weights.size(); ++i) {
    auto const &there = model[from.weights[i]], &here = model[to.weights[i]];
    if (here.dims != there.dims)
      found.push_back("`" + std::string(here.name) + "` has dims " + to_text(Shape(here.dims)) +
                      ", `" + std::string(there.name) + "` " + to_text(Shape(there.dims)));
  }
  return found;
}

}  // namespace

void replace_weights::check(ModelView const& model, Findings& findings) const {
  auto const unlike = [&](std::string to, std::string from, std::string why) {
    findings.add(diagnostics::unlike_weights, "destination_layers",
                 {std::move(to), std::move(from), std::move(why)});
  };
  if (source_layers.size() != destination_layers.size())
    return unlike(counted(destination_layers.size()), counted(source_layers.size()),
                  "they are not as many");
  for (std::size_t i = 0; i < source_layers.size(); ++i) {
    auto const *from = model.find_layer(source_layers[i]),
               *to = model.find_layer(destination_layers[i]);
    if (from == nullptr || to == nullptr) continue;  // reported as references
    for (auto& why : differences(model, *from, *to))
      unlike("`" + destination_layers[i] + "`", "`" + source_layers[i] + "`", std::move(why));
  }
}

void replace_weights::lower(compiler::CallbackLowering& lowering) const {
  auto const& model = lowering.model();
  lowering.at({Moment::step_end, batch_interval, batch_interval});
  for (std::size_t i = 0; i < source_layers.size(); ++i) {
    auto const &from = *model.find_layer(source_layers[i]),
               &to = *model.find_layer(destination_layers[i]);
    for (std::size_t k = 0; k < from.weights.size(); ++k) {
      if (from.weights[k] == to.weights[k]) continue;
      ExpressionBuilder build;
      lowering.assign(lowering.weights(to.weights[k]), build.finish({build.operand(0)}),
                      {lowering.weights(from.weights[k])});
    }
  }
}

}  // namespace lbann::callbacks
