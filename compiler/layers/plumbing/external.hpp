#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Inputs of any dims; `num_outputs` outputs of `dims`. What the library must offer stands in
/// include/lbann/external_layer.h; it is opened by `lbann-run` before anything is trained.
struct external {
  static constexpr std::string_view name = "external";
  static constexpr std::string_view summary = "A layer in a shared library of your own.";
  static constexpr std::string_view shapes =
      "x0 [n0...], x1 [n1...], ... -> y0 [dims], y1 [dims], ..., num_outputs of them";
  static constexpr std::string_view formula = "y_i and dx_i = what the library computes";
  static constexpr LayerExample example{
      "x=3x4", "- external: {name: twice, parents: x, filename: libtwice.so, layer_name: twice}"};
  static constexpr Arity parents{1, -1}, children{1, -1};

  std::string filename;
  std::string layer_name;
  std::vector<std::int64_t> dims;
  std::int64_t num_outputs = 1;
  bool differentiable = true;

  static constexpr auto fields() {
    return std::tuple{
        path(field("filename", &external::filename,
                   "The shared library, a path or a name that the system's loader finds.",
                   Presence::required)),
        field("layer_name", &external::layer_name, "The library exports `setup_<layer_name>`.",
              Presence::required),
        field("dims", &external::dims,
              "Dims of each output; left out: those of the `hint_layer`, else of the first input.",
              at_least_one),
        field("num_outputs", &external::num_outputs, "Number of outputs.",
              Range{.least = 1, .most = 64}),
        field("differentiable", &external::differentiable,
              "Whether the library gives gradients; without them nothing before the layer learns "
              "through it.")};
  }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
  std::size_t pieces() const { return static_cast<std::size_t>(num_outputs); }
};

}  // namespace lbann::compiler::layers
