// How an instruction's outputs are distributed over ranks, derived from its inputs and its loops.
#pragma once

#include "schemas/operators/rules.hpp"
#include "schemas/program/program.hpp"

namespace lbann {

/// A set of axes of the mesh: one bit for each, numbered by `MeshAxes`.
using AxisSet = std::uint32_t;

/// The names of mesh axes, numbered in the order in which they are first asked for.
class MeshAxes {
 public:
  static constexpr std::size_t most = 32;

  /// The set of these axes; a problem beyond the first `most` axes of a program.
  Result<AxisSet> set_of(std::span<std::string const> names);
  std::vector<std::string> names_of(AxisSet set) const;

  /// The axis that mini-batches are split over.
  static constexpr std::string_view data = "data";

 private:
  std::vector<std::string> names_ = {std::string(data)};
};

/// The set of `MeshAxes::data` alone, which is always the first.
inline constexpr AxisSet data_axis = 1;

/// `Distribution` in sets of axes, and what only holds between two instructions.
struct AxisDistribution {
  std::array<AxisSet, operators::rules::max_rank> split{};  ///< per dimension
  AxisSet partial = 0;                                      ///< a partial sum over these axes
  /// The operator's result for a rank's own part of a loop of kind `merged`, over these axes:
  /// neither a part nor a partial sum of the result for the whole loop.
  AxisSet unmerged = 0;
  friend bool operator==(AxisDistribution const&, AxisDistribution const&) = default;
};

/// The distribution of a tensor that is given to a program (inputs and state), and of which no
/// dimension but the mini-batch is split.
AxisDistribution batch_distribution(Shape const& shape);

/// Distributions of an operator's outputs if every rank runs it on what it holds of inputs that are
/// distributed as told. A problem if that would not give parts of the right result: a split loop
/// must not be, inputs are split differently along a loop, or a partial sum enters otherwise than
/// linearly.
Result<std::vector<AxisDistribution>> derive_distribution(Operator const& op,
                                                          Signature const& signature,
                                                          std::span<AxisDistribution const> inputs,
                                                          MeshAxes& mesh);

/// Derives the distribution of every tensor of a program again, instruction by instruction from the
/// inputs on, and compares it with what the tensor itself says. What does not fit, or nothing. For
/// a program that pass `distribute` has been over and that `verify` finds sound.
std::optional<std::string> verify_distribution(Program const& program);

}  // namespace lbann
