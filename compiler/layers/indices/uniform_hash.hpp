#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// Equal entries give equal numbers. MD5: RFC 1321.
struct uniform_hash {
  static constexpr std::string_view name = "uniform_hash";
  static constexpr std::string_view summary = "Each entry hashed to a number in [0, 1).";
  static constexpr std::string_view shapes = "x [n...] -> y [n...]";
  static constexpr std::string_view formula =
      "y[i] = h / 2^64, h the last 8 bytes of the MD5 digest of the bytes of x[i], both with "
      "the lowest byte first\n"
      "dx = 0";
  static constexpr LayerExample example{"x=10", "- uniform_hash: {parents: x}"};
  static constexpr Arity parents{1, 1}, children{1, 1};

  static constexpr auto fields() { return std::tuple<>{}; }

  std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
  void lower(LoweringContext& lowering) const;
};

}  // namespace lbann::compiler::layers
