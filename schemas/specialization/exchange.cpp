// Pieces are the intersections of what ranks hold with what ranks are to hold.
#include "schemas/specialization/exchange.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "schemas/specialization/panel_samples.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

namespace {

IndexRange common_range(IndexRange const& a, IndexRange const& b) {
  auto const begin = std::max(a.begin, b.begin);
  return {begin, std::max<std::int64_t>(std::min(a.end(), b.end()) - begin, 0)};
}

/// What both boxes contain, counted from the begin of `within`.
Box common(Box const& a, Box const& b, Box const& within) {
  Box box;
  box.rank = a.rank;
  for (std::size_t d = 0; d < a.rank; ++d) {
    auto const both = common_range(a.parts[d], b.parts[d]);
    box.parts[d] = {both.begin - within.parts[d].begin, both.size};
  }
  return box;
}

/// All of a box, or of the samples in its first dimension those in `samples`: as elements.
std::vector<IndexRange> elements_of(Box const& box, std::int64_t sample,
                                    std::optional<std::vector<IndexRange>> const& samples) {
  if (!samples) return {{0, box.elements()}};
  auto const& first = box.parts[0];
  auto const row = first.size == 0 ? 0 : box.elements() / first.size * sample;
  std::vector<IndexRange> elements;
  for (auto const& range : held_samples(*samples, {first.begin / sample, first.size / sample}))
    elements.push_back({range.begin * row, range.size * row});
  return elements;
}

/// Of the samples in the first dimension, of so many entries each, those in `range`.
Box with_samples(Box box, IndexRange const& range, std::int64_t sample) {
  box.parts[0] = common_range(box.parts[0], {range.begin * sample, range.size * sample});
  return box;
}

std::int64_t of_others(std::vector<ExchangedPiece> const& pieces, std::int64_t rank) {
  std::int64_t count = 0;
  for (auto const& piece : pieces)
    if (piece.peer != rank) count += piece.elements;
  return count;
}

/// What a rank and those that it exchanges with hold or want of a tensor.
class Peers {
 public:
  Peers(Mesh const& mesh, AxisDistribution const& distribution, Shape const& shape,
        std::int64_t mini_batch, AxisSet axes, std::int64_t rank)
      : ranks_(mesh.group(axes, rank)) {
    for (auto const peer : ranks_)
      boxes_.push_back(box_of(shape, distribution, mesh, mini_batch, peer));
    order_.resize(ranks_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::sort(order_, {}, [&](auto i) {
      auto const& part = boxes_[i].parts[0];
      return std::tuple(part.begin, part.end());
    });
  }

  /// Adds to `pieces` what each, in order of the ranks, has in common with `box`, counted from the
  /// begin of `within`.
  void each_in_common(Box const& box, Box const& within,
                      std::vector<ExchangedPiece>& pieces) const {
    if (box.elements() == 0) return;
    // Parts of the first dimension are equal or apart: those that meet the box stand together.
    auto const first = std::ranges::partition_point(
        order_, [&](auto i) { return boxes_[i].parts[0].end() <= box.parts[0].begin; });
    auto const behind = std::partition_point(
        first, order_.end(), [&](auto i) { return boxes_[i].parts[0].begin < box.parts[0].end(); });
    std::vector<std::size_t> meeting(first, behind);
    std::ranges::sort(meeting);
    for (auto const i : meeting) {
      auto const both = common(boxes_[i], box, within);
      if (auto const elements = both.elements(); elements > 0)
        pieces.push_back({ranks_[i], both, elements});
    }
  }

 private:
  std::vector<std::int64_t> ranks_;
  std::vector<Box> boxes_;
  std::vector<std::size_t> order_;  ///< of `boxes_`, by the first dimension
};

/// Axes along which ranks exchange something: along those that do not split the input every rank
/// has what it needs, unless it is to be summed.
AxisSet exchanging_axes(AxisDistribution const& from, AxisDistribution const& to, AxisSet summed) {
  return (moving_axes(from, to) & from.axes()) | summed;
}

}  // namespace

std::int64_t Exchange::sent(std::int64_t rank) const { return of_others(sends, rank); }
std::int64_t Exchange::received(std::int64_t rank) const { return of_others(receives, rank); }

Exchange exchange_of(Shape const& shape, AxisDistribution const& from, AxisDistribution const& to,
                     AxisSet summed, Mesh const& mesh, std::int64_t mini_batch, std::int64_t rank,
                     std::optional<Panel> const& panel) {
  auto const axes = exchanging_axes(from, to, summed);
  Exchange exchange;
  exchange.adds = summed != 0;
  auto const own = box_of(shape, from, mesh, mini_batch, rank);
  auto const target = box_of(shape, to, mesh, mini_batch, rank);
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    exchange.from.push_back(own.parts[d].size);
    exchange.to.push_back(target.parts[d].size);
  }
  Peers const holding(mesh, from, shape, mini_batch, axes, rank);
  Peers const wanting(mesh, to, shape, mini_batch, axes, rank);
  auto const add = [&](Box const& sending, Box const& receiving) {
    wanting.each_in_common(sending, own, exchange.sends);
    holding.each_in_common(receiving, target, exchange.receives);
  };
  std::optional<std::vector<IndexRange>> samples;
  if (panel) samples = panel_samples(*panel, mesh, mini_batch, rank);
  auto const sample = panel ? shape.extents.front().size : 1;
  exchange.read = elements_of(own, sample, samples);
  exchange.written = elements_of(target, sample, samples);
  if (!samples) {
    add(own, target);
    return exchange;
  }
  for (auto const& range : *samples)
    add(with_samples(own, range, sample), with_samples(target, range, sample));
  return exchange;
}

namespace {

/// What ranges have in common with parts, both in ascending order.
struct Overlap {
  std::int64_t elements = 0;
  std::int64_t pairs = 0;  ///< of a range and a part that have something in common
};

Overlap overlap(std::vector<IndexRange> const& ranges, std::vector<IndexRange> const& parts) {
  Overlap found;
  for (std::size_t i = 0, j = 0; i < ranges.size() && j < parts.size();) {
    if (auto const both = common_range(ranges[i], parts[j]).size; both > 0) {
      found.elements += both;
      ++found.pairs;
    }
    ++(ranges[i].end() < parts[j].end() ? i : j);
  }
  return found;
}

}  // namespace

ExchangeSize exchange_size(Shape const& shape, AxisDistribution const& from,
                           AxisDistribution const& to, AxisSet summed, Mesh const& mesh,
                           std::int64_t mini_batch, std::int64_t rank,
                           std::optional<Panel> const& panel) {
  auto const axes = exchanging_axes(from, to, summed);
  auto const own = box_of(shape, from, mesh, mini_batch, rank);
  auto const target = box_of(shape, to, mesh, mini_batch, rank);
  // An axis cuts one dimension, so that sums over all ranks of the group are products of sums.
  auto sent = mesh.size(axes & ~to.axes()), peers = sent;
  std::int64_t kept = 1, kept_pieces = 1;  // of what this rank holds, what it keeps
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    auto const& extent = shape.extents[d];
    // A mini-batch is cut between samples, of which each may be several entries.
    auto const unit = extent.batch ? extent.size : 1;
    std::vector<IndexRange> ranges = {own.parts[d]}, parts;
    if (panel && d == 0) {
      ranges.clear();
      for (auto const& range : panel_samples(*panel, mesh, mini_batch, rank))
        ranges.push_back(common_range(own.parts[d], {range.begin * unit, range.size * unit}));
    }
    mesh.each_part(extent.batch ? mini_batch : extent.size, to.split[d], axes, rank,
                   [&](IndexRange const& part) {
                     parts.push_back({part.begin * unit, part.size * unit});
                   });
    auto const all = overlap(ranges, parts), here = overlap(ranges, {target.parts[d]});
    sent *= all.elements;
    peers *= all.pairs;
    kept *= here.elements;
    kept_pieces *= here.pairs;
  }
  return {sent - kept, peers - kept_pieces};
}

ExchangeRoom exchange_room(Shape const& shape, AxisDistribution const& from,
                           AxisDistribution const& to, AxisSet summed, Mesh const& mesh,
                           std::int64_t mini_batch, std::int64_t rank,
                           std::optional<Panel> const& panel) {
  // Along axes that do not split the output all ranks get what this one has; along those summed
  // over this rank gets what all have. Parts do not grow where samples become fewer.
  auto const copies = mesh.size(exchanging_axes(from, to, summed) & ~to.axes());
  // Where only the first dimension is cut otherwise, pieces are one row of memory on both sides.
  bool const rows = std::equal(from.split.begin() + 1, from.split.end(), to.split.begin() + 1);
  // Ranges of a panel do not grow either, but move: all of it may be here then.
  auto const elements = [&](AxisDistribution const& distribution) {
    auto const box = box_of(shape, distribution, mesh, mini_batch, rank);
    auto const all = box.elements();
    if (!panel || all == 0) return all;
    auto const most = count(panel_samples(*panel, mesh, mini_batch, rank)) * shape.extents[0].size;
    return all / box.parts[0].size * std::min(box.parts[0].size, most);
  };
  return {rows ? 0 : elements(from) * copies,
          rows && summed == 0 ? 0 : elements(to) * mesh.size(summed)};
}

AxisSet summed_axes(Operator const& collective) {
  MeshAxes names;
  auto const* scatter = std::get_if<operators::reduce_scatter>(&collective);
  return scatter == nullptr ? 0 : names.set_of(scatter->mesh_axes).value();
}

namespace {

/// `of` with the shape and the distributions of a collective's operands.
template <class Of>
auto on_operands(SpecializedProgram const& program, Instruction const& collective,
                 std::int64_t mini_batch, Of const& of) {
  auto const input = collective.inputs[0], output = collective.outputs[0];
  return of(program.whole_shapes[input.index()], program.distribution(input),
            program.distribution(output), summed_axes(collective.op), program.mesh, mini_batch,
            program.rank);
}

}  // namespace

Exchange exchange_of(SpecializedProgram const& program, Instruction const& collective,
                     std::int64_t mini_batch) {
  return on_operands(program, collective, mini_batch, [&](auto const&... operands) {
    return exchange_of(operands..., collective.panel);
  });
}

Sent sent_by(SpecializedProgram const& program, Instruction const& collective) {
  auto const input = collective.inputs[0];
  auto const& type = program.tensors[input.index()].type;
  auto const element = static_cast<std::int64_t>(bytes_of(type.type));
  if (is_sum(collective)) {
    MeshAxes names;
    auto const ranks = program.mesh.size(names.set_of(*axes_of_collective(collective.op)).value());
    auto const all = element * type.shape.elements(program.samples(input, program.mini_batch));
    return {2 * all / ranks * (ranks - 1), ranks - 1};
  }
  auto const size = on_operands(
      program, collective, program.mini_batch,
      [&](auto const&... operands) { return exchange_size(operands..., collective.panel); });
  return {element * size.sent, size.peers};
}

}  // namespace lbann
