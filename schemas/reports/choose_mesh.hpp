// How the ranks of a trainer are arranged, as asked for or as costs least.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/specialization/specialize.hpp"

namespace lbann {

/// Reads `rows=2,columns=3`, with `data` or without; a problem names what is wrong.
Result<MeshRequest> parse_mesh(std::string_view text);
/// `data 1, rows 2, columns 3`.
std::string to_text(std::vector<MeshAxis> const& mesh);

/// A mesh of `ranks` ranks, and what it costs.
struct MeshCost {
  std::vector<MeshAxis> mesh;
  std::int64_t bytes_sent = 0;  ///< by rank 0 in a step of training with a full mini-batch
  std::int64_t weights = 0;     ///< bytes of weights, gradients and moments on rank 0
};

/// Every mesh of `ranks` ranks that `request` allows, or, if that asks for nothing, the plan's, the
/// best first: that of least bytes sent, then of least weights on a rank. A problem if there is
/// none, or if the plan has nothing that rows and columns split and several are asked for.
Result<std::vector<MeshCost>> possible_meshes(Plan const& plan, MeshRequest const& request,
                                              std::int64_t ranks, std::int64_t mini_batch);

/// The best of them; all along `data` for a plan of which nothing else can be split.
Result<std::vector<MeshAxis>> choose_mesh(Plan const& plan, MeshRequest const& request,
                                          std::int64_t ranks, std::int64_t mini_batch);

/// Bytes that this rank sends in a run of `entry` with a full mini-batch: its messages, of which an
/// all-reduce over g ranks is counted as 2 (g - 1) / g of its bytes (Patarasuk and Yuan, 2009).
std::int64_t bytes_sent(SpecializedProgram const& program, SpecializedEntry const& entry);

}  // namespace lbann
