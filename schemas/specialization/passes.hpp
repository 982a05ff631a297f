// The passes of specialization, one file each, in their order (pipeline.cpp).
#pragma once

#include "schemas/specialization/specialization.hpp"

namespace lbann {

/// Binds the mesh and the batch: `largest_batch` from the rank's place; refuses a placement that
/// is impossible or that the program's distributions do not know.
Result<Success> bind(Specialization& specialization);

/// Where ranks share memory: finds gradients of large weights that are products over samples and
/// are used by nothing but the update of these weights. They need no sum over ranks: their factors
/// are smaller, and broadcast instead (see FactorBroadcast), which is noted on the product's
/// instruction. The update becomes the epilogue of the product.
void gather_factors(Specialization& specialization);

/// Makes gradients of the sums over ranks that update weights and are used by nothing else: of the
/// part that samples contribute, where the rest, such as weight decay, is computed in the update.
/// They are placed and sent as gradients then.
void mark_gradients(Specialization& specialization);

/// Where ranks share memory: finds the gradients whose sum over ranks, other than that, is used by
/// nothing but the update of their weights, element by element. Weights, moments and every rank's
/// gradient will lie in shared memory, where each rank sums and updates a part (`split_updates`).
void share_gradients(Specialization& specialization);

/// Removes collectives over mesh axes of size one: their output becomes another name of their
/// input, or the reverse; where neither can be renamed a reshape remains.
void drop_collectives(Specialization& specialization);

/// Lets sums over ranks overwrite their inputs where these are not read afterwards, and adds to
/// every entry point but `initialize` the sum of the `status_words` that the runtime fills in.
void reduce_in_place(Specialization& specialization);

/// Chooses the memory layout of each tensor: C order everywhere, and outputs of reshapes as aliases
/// of their inputs. A reshape becomes a copy where an alias would let one overwrite the other, or
/// where both have memory of their own (state, gradients, inputs, results). Channels-last layouts
/// would be chosen here.
void layout(Specialization& specialization);

/// Gives every tensor but activations its offset. Weights, gradients and each slot of moments are
/// ordered by when gradients are ready, within a bucket by type, at equal element offsets in all of
/// these arenas; sums over ranks are neighbours in the arena of messages. Gradients that are summed
/// over ranks are cut into buckets: ranges of their arena.
void bucket(Specialization& specialization);

/// Merges maps that differ only in the weights they update into one map over a range of the arenas.
/// A range includes the padding between its tensors and does not go beyond a bucket.
void merge_updates(Specialization& specialization);

/// Moves updates of state to directly after the instructions that compute their operands, so that
/// buffers are free sooner. An update that depends on a collective or on broadcast factors, and on
/// which nothing else depends, is moved to the end instead: the communication then overlaps with
/// all that comes before. Everything else keeps its order.
void order(Specialization& specialization);

/// Moves every gather of weights to before the first instruction that reads what the one before it
/// gathers: it travels while that one's layer computes, and at most two layers are gathered at a
/// time.
void prefetch(Specialization& specialization);

/// Replaces the collectives of a bucket by one, at the position of the last of them, unless a
/// result is read before.
void join_messages(Specialization& specialization);

/// Replaces sums over ranks of gradients in shared memory (`share_gradients`), and the updates that
/// read them, by those of this rank's part: maps, of which some wait for all ranks.
void split_updates(Specialization& specialization);

/// Where the plan says how many samples are a panel: cuts products of samples with split weights,
/// with the exchanges before and after them, into panels that are gathered all at once, multiplied
/// as they arrive and scattered while the next one is multiplied. Refuses very many panels.
Result<Success> panels(Specialization& specialization);

/// Turns shapes of tensors, and those that operators have, into those of this rank's parts. All
/// passes before it see tensors as a whole, and decide the same on all ranks.
void localise(Specialization& specialization);

/// Decides when broadcasts of factors start and which instruction waits for each message; then
/// assigns offsets to activations and scratch memory by liveness. What a message carries is live
/// until it has arrived.
Result<Success> place(Specialization& specialization);

}  // namespace lbann
