// How an instruction's outputs are distributed over ranks, derived from its inputs and its loops.
#pragma once

#include "schemas/operators/loops.hpp"
#include "schemas/operators/rules.hpp"
#include "schemas/program/program.hpp"

namespace lbann {

/// A set of axes of the mesh: one bit for each, numbered by `MeshAxes`.
using AxisSet = std::uint32_t;

/// The names of mesh axes, numbered in the order in which cuts over several of them nest: a
/// mini-batch is cut over `data` first. Others than these three follow in the order in which they
/// are first asked for.
class MeshAxes {
 public:
  static constexpr std::size_t most = 32;

  /// The set of these axes; a problem beyond the first `most` axes of a program.
  Result<AxisSet> set_of(std::span<std::string const> names);
  std::vector<std::string> names_of(AxisSet set) const;

  /// Ranks along `data` hold the same of a model-parallel layer's weights; along `rows` and
  /// `columns` its parts. Those of sharded weights lie along any.
  static constexpr std::string_view data = "data", rows = "rows", columns = "columns";

 private:
  std::vector<std::string> names_ = {std::string(data), std::string(rows), std::string(columns)};
};

/// The sets of `MeshAxes::data`, `rows` and `columns` alone.
inline constexpr AxisSet data_axis = 1, rows_axis = 2, columns_axis = 4;

/// `Distribution` in sets of axes, and what only holds between two instructions.
struct AxisDistribution {
  std::array<AxisSet, operators::rules::max_rank> split{};  ///< per dimension
  AxisSet partial = 0;                                      ///< a partial sum over these axes
  /// The operator's result for a rank's own part of a loop of kind `merged`, over these axes:
  /// neither a part nor a partial sum of the result for the whole loop.
  AxisSet unmerged = 0;
  friend bool operator==(AxisDistribution const&, AxisDistribution const&) = default;

  /// All axes that split a dimension.
  AxisSet axes() const {
    AxisSet all = 0;
    for (auto const set : split) all |= set;
    return all;
  }
};

/// What `distribution` says, in sets of axes; a problem beyond the first `MeshAxes::most`.
Result<AxisDistribution> in_sets(Distribution const& distribution, MeshAxes& mesh);
/// The reverse, for a tensor of `rank` dimensions.
Distribution in_names(AxisDistribution const& distribution, std::size_t rank, MeshAxes const& mesh);

/// A tensor of which no dimension but the mini-batch is split, that over `axes`.
AxisDistribution batch_distribution(Shape const& shape, AxisSet axes);

/// The axes that a program's mini-batches are split over where they are given to it and where
/// results leave it: `data`, and all axes of the mesh if some of its state or gradients is split.
AxisSet batch_axes(Program const& program);

/// Axes along which ranks hold different parts of a tensor split as `from` says and as `to` says;
/// ranks that differ along others alone have nothing to exchange.
AxisSet moving_axes(AxisDistribution const& from, AxisDistribution const& to);
/// The same of one dimension, whose cuts nest in the order of the axes.
AxisSet moving_axes(AxisSet from, AxisSet to);

/// Whether the iterations of a loop that `dimension` belongs to may be split over ranks by parts of
/// the dimension: part and loop are cut alike.
bool can_split(Loops const& loops, LoopDimension const& dimension);

/// Distributions of an operator's outputs if every rank runs it on what it holds of inputs that are
/// distributed as told. Along loops that no input has, a rank makes what `outputs` say, and where
/// they do not tell either its samples, split over `batch`. A problem if that would not give parts
/// of the right result: a split loop must not be, inputs are split differently along a loop, or a
/// partial sum enters otherwise than linearly.
Result<std::vector<AxisDistribution>> derive_distribution(Operator const& op,
                                                          Signature const& signature,
                                                          std::span<AxisDistribution const> inputs,
                                                          std::span<AxisDistribution const> outputs,
                                                          AxisSet batch, MeshAxes& mesh);

/// Derives the distribution of every tensor of a program again, instruction by instruction from the
/// inputs on, and compares it with what the tensor itself says. What does not fit, or nothing. For
/// a program that pass `distribute` has been over and that `verify` finds sound.
std::optional<std::string> verify_distribution(Program const& program);

}  // namespace lbann
