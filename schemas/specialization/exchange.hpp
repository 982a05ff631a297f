// Who sends what to whom where a tensor is to be distributed otherwise than it is.
#pragma once

#include <optional>
#include <vector>

#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// A part of a tensor that travels from one rank to another, or stays on a rank.
struct ExchangedPiece {
  std::int64_t peer = 0;  ///< rank in the trainer, maybe the own one
  Box box;                ///< with begins counted within what this rank holds
  std::int64_t elements = 0;
};

/// One rank's part of a collective that leads from one distribution to another: direct messages,
/// for each pair of ranks that have something for each other one, or of a panel one for each of
/// its ranges of samples.
struct Exchange {
  /// To others and to this rank itself, from its part of the input.
  std::vector<ExchangedPiece> sends;
  /// From others and from this rank itself, to its part of the output: places of it that are
  /// disjoint, or that are added up in this order, which is that of ranks.
  std::vector<ExchangedPiece> receives;
  bool adds = false;
  std::vector<std::int64_t> from, to;  ///< extents of what this rank holds
  /// Elements of it that are read and written: all, or those of a panel.
  std::vector<IndexRange> read, written;

  /// Elements sent to other ranks, and received from them.
  std::int64_t sent(std::int64_t rank) const;
  std::int64_t received(std::int64_t rank) const;
};

/// From a tensor of this shape split as `from` says to one split as `to` says, for `mini_batch`
/// samples on all ranks, summed over `summed`; of one whose first dimension is that of samples
/// maybe one panel.
Exchange exchange_of(Shape const& shape, AxisDistribution const& from, AxisDistribution const& to,
                     AxisSet summed, Mesh const& mesh, std::int64_t mini_batch, std::int64_t rank,
                     std::optional<Panel> const& panel = std::nullopt);

/// How much a rank sends to others, and in how many messages: one for each that gets any, or of a
/// panel one for each of its ranges of samples. As `exchange_of` lists it, but without listing it,
/// for meshes of any size.
struct ExchangeSize {
  std::int64_t sent = 0, peers = 0;
};
ExchangeSize exchange_size(Shape const& shape, AxisDistribution const& from,
                           AxisDistribution const& to, AxisSet summed, Mesh const& mesh,
                           std::int64_t mini_batch, std::int64_t rank,
                           std::optional<Panel> const& panel = std::nullopt);

/// Room for pieces that a rank packs or receives beside where they belong, in elements, with at
/// most `mini_batch` samples: of fewer samples more may have to move, where parts begin elsewhere.
/// A piece that is one row of memory on both sides needs none but to be added.
struct ExchangeRoom {
  std::int64_t sent = 0, received = 0;
};
ExchangeRoom exchange_room(Shape const& shape, AxisDistribution const& from,
                           AxisDistribution const& to, AxisSet summed, Mesh const& mesh,
                           std::int64_t mini_batch, std::int64_t rank,
                           std::optional<Panel> const& panel = std::nullopt);

/// The part of `collective`, an instruction of `program` that is no all-reduce, of the program's
/// rank.
Exchange exchange_of(SpecializedProgram const& program, Instruction const& collective,
                     std::int64_t mini_batch);

/// What the program's rank sends for `collective`, with a full mini-batch. A sum over g ranks sends
/// 2 (g - 1) / g of its bytes (Patarasuk and Yuan, 2009), whatever the library does.
struct Sent {
  std::int64_t bytes = 0, peers = 0;
};
Sent sent_by(SpecializedProgram const& program, Instruction const& collective);

/// The axes that a collective sums over.
AxisSet summed_axes(Operator const& collective);

}  // namespace lbann
