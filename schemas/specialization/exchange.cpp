// Pieces are the intersections of what ranks hold with what ranks are to hold.
#include "schemas/specialization/exchange.hpp"

#include <algorithm>
#include <set>

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

std::int64_t of_others(std::vector<ExchangedPiece> const& pieces, std::int64_t rank) {
  std::int64_t count = 0;
  for (auto const& piece : pieces)
    if (piece.peer != rank) count += piece.elements;
  return count;
}

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
  auto const held = [&](std::int64_t of) { return box_of(shape, from, mesh, mini_batch, of); };
  auto const wanted = [&](std::int64_t of) { return box_of(shape, to, mesh, mini_batch, of); };
  Exchange exchange;
  exchange.adds = summed != 0;
  auto const own = held(rank), target = wanted(rank);
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    exchange.from.push_back(own.parts[d].size);
    exchange.to.push_back(target.parts[d].size);
  }
  auto const add = [&](Box const& sending, Box const& receiving) {
    for (auto const peer : mesh.group(axes, rank)) {
      auto const sent = common(sending, wanted(peer), own);
      if (auto const elements = sent.elements(); elements > 0)
        exchange.sends.push_back({peer, sent, elements});
      auto const received = common(held(peer), receiving, target);
      if (auto const elements = received.elements(); elements > 0)
        exchange.receives.push_back({peer, received, elements});
    }
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
  for (auto const& range : *samples) {
    auto const within = [&](Box box) {
      box.parts[0] = common_range(box.parts[0], {range.begin * sample, range.size * sample});
      return box;
    };
    add(within(own), within(target));
  }
  return exchange;
}

ExchangeSize exchange_size(Shape const& shape, AxisDistribution const& from,
                           AxisDistribution const& to, AxisSet summed, Mesh const& mesh,
                           std::int64_t mini_batch, std::int64_t rank) {
  auto const axes = exchanging_axes(from, to, summed);
  auto const own = box_of(shape, from, mesh, mini_batch, rank);
  auto const target = common(own, box_of(shape, to, mesh, mini_batch, rank), own).elements();
  // An axis cuts one dimension, so that sums over all ranks of the group are products of sums.
  auto sent = mesh.size(axes & ~to.axes()), peers = sent;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    auto const& extent = shape.extents[d];
    std::int64_t elements = 0, parts = 0;
    // A mini-batch is cut between samples, of which each may be several entries.
    auto const unit = extent.batch ? extent.size : 1;
    mesh.each_part(extent.batch ? mini_batch : extent.size, to.split[d], axes, rank,
                   [&](IndexRange const& part) {
                     auto const both = std::min(part.end() * unit, own.parts[d].end()) -
                                       std::max(part.begin * unit, own.parts[d].begin);
                     if (both <= 0) return;
                     elements += both;
                     ++parts;
                   });
    sent *= elements;
    peers *= parts;
  }
  return {sent - target, peers - (target > 0 ? 1 : 0)};
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
  if (collective.panel) {
    auto const exchange = exchange_of(program, collective, program.mini_batch);
    std::set<std::int64_t> peers;
    for (auto const& piece : exchange.sends)
      if (piece.peer != program.rank) peers.insert(piece.peer);
    return {element * exchange.sent(program.rank), static_cast<std::int64_t>(peers.size())};
  }
  auto const size = on_operands(program, collective, program.mini_batch,
                                [](auto const&... operands) { return exchange_size(operands...); });
  return {element * size.sent, size.peers};
}

}  // namespace lbann
