// The passes of specialization, one file each, in their order (pipeline.cpp).
#pragma once

#include "schemas/specialization/specialization.hpp"

namespace lbann {

/// Binds the mesh and the batch: `largest_batch` from the rank's place; refuses a placement that
/// is impossible or that the program's distributions do not know.
Result<Success> bind(Specialization& specialization);

/// Where ranks share memory: finds gradients of large weights that are products over samples and
/// are used by nothing but the update of these weights. They need no sum over ranks: their factors
/// are smaller, and gathered instead (see GatheredProduct). The update becomes the epilogue of the
/// product.
void gather_factors(Specialization& specialization);

/// Removes collectives over mesh axes of size one: their output becomes another name of their
/// input, or the reverse; where neither can be renamed a reshape remains.
void drop_collectives(Specialization& specialization);

/// Takes sums over ranks in the memory of their parts, where nobody else needs these, and adds to
/// each entry point but `initialize` the sum of `status_words` that the runtime fills in.
void reduce_in_place(Specialization& specialization);

/// Chooses how each tensor lies in memory: C order everywhere, and the output of a reshape where
/// its input lies. Where that would let one overwrite the other, or both have a place of their own
/// (state, gradients, inputs, results), the reshape becomes a copy. The place where channels-last
/// chains will be chosen.
void layout(Specialization& specialization);

/// Gives every tensor but activations its place. Weights, gradients and each slot of moments stand
/// in order of gradient readiness, within a bucket those of one type together, at congruent
/// offsets; sums over ranks as neighbours in the arena of messages. Gradients that are summed over
/// ranks are cut into buckets: ranges of their arena.
void bucket(Specialization& specialization);

/// Joins maps that differ only in the weights they work on: one map over a range of the arenas. A
/// range includes the padding between its tensors, and ends with the bucket.
void merge_updates(Specialization& specialization);

/// Moves updates of state up to where their operands exist. What needs the outcome of a collective
/// or gathered factors, and is needed by nothing else, goes to the end instead, so that messages
/// have time to travel. All else keeps its order.
void order(Specialization& specialization);

/// Makes one collective of those of a bucket, where the last of them stands, as long as no result
/// is needed before.
void join_messages(Specialization& specialization);

/// Finds when factors can be posted, and who needs each message first; then gives activations and
/// scratch their places, by liveness. What a message carries lives until it has arrived.
Result<Success> place(Specialization& specialization);

}  // namespace lbann
