// What attention and its gradient have in common: fields and checks.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Base of `attention` and `attention_gradient`.
struct AttentionHeads {
  std::int64_t head_size = 1;
  double scale = 1;
  bool causal = false;

  static constexpr auto fields() {
    return std::tuple{
        field("head_size", &AttentionHeads::head_size, "Columns of queries and keys of one head."),
        field("scale", &AttentionHeads::scale, "Factor of the products of queries and keys."),
        field("causal", &AttentionHeads::causal, "Query i sees keys 0 to i only.")};
  }

  friend bool operator==(AttentionHeads const&, AttentionHeads const&) = default;

  /// What is wrong with the fields, or with queries, keys and values for them; or nothing.
  std::optional<Problem> find_misfit(std::string_view op, TensorType const& q, TensorType const& k,
                                     TensorType const& v) const;
  /// The same of a mask for queries and keys that fit.
  std::optional<Problem> find_misfit(std::string_view op, TensorType const& q, TensorType const& k,
                                     TensorType const& v, TensorType const& mask) const;

  /// [batch, heads, l, s]: pairs of a query and a key, to which masks are broadcast.
  Shape pairs(Shape const& q, Shape const& k) const;
};

/// Queries, in all heads and samples, that portable kernels hold the scores of at a time: enough to
/// fill a GPU.
inline constexpr std::int64_t attention_rows_at_a_time = 2048;

}  // namespace lbann::operators
