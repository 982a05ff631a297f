// Passes on the program alone; each may change instructions and add tensors.
#pragma once

#include "compiler/experiment/recompute.hpp"
#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// Joins instructions that one operator does better, before gradients are derived: softmax with
/// cross entropy, sigmoid with binary cross entropy.
void recognise_composites(Program& program);

/// Makes attention of batched products whose softmax is multiplied by values, with their scale and
/// an added mask, where nothing else reads what is in between and none of it is in `kept`. Masks
/// that are the same for all samples are read where they lie.
void recognise_attention(Program& program, std::vector<TensorId> const& kept);

/// Puts a copy of the entries that strided convolutions with windows of one entry see in front of
/// them, which then have stride 1: products of dense factors, in their gradients too.
void subsample_convolutions(Program& program);

/// Appends to entry point `train` and to those called `gradients.<mode>` the gradients of its
/// scalar f64 tensor `objective` (role result) with respect to the weights: each tensor of role
/// `gradient` in the table, made by `lower_to_operators` for every trained weights tensor (its
/// `owner`), is written exactly once (with zero if the objective does not depend on the weights).
/// Gradients nobody needs are not computed.
///
/// Gives, per tensor of `train`, the gradient with respect to it: its error signal, of as many
/// elements but maybe another shape; an id that is not valid where there is none. If `loss_scale`
/// is valid, a scalar, error signals in `train` are larger by this factor.
std::vector<TensorId> derive_backward(Program& program, TensorId loss_scale = {});

/// Has the backward pass of `train` compute activations again, so that they need not be kept;
/// `samples`: of a micro-batch.
void recompute(Program& program, Recompute which, std::int64_t samples);

/// Weights, their gradients and moments of which each rank holds a part of the first dimension come
/// with their split. Instructions on samples need them whole: puts an all_gather in front of them,
/// one for all of the forward pass and one for all of the backward pass.
void gather_weights(Program& program);

/// Decides which dimension of the weights of model-parallel layers (see `is_undecided`) is split
/// over the rows of the mesh and which over its columns: in turns, so that what one layer gives is
/// distributed as the next one takes it.
void orient_weights(Program& program);

/// Gives tensors their distributions and inserts collectives over the axes of the mesh.
void distribute(Program& program);

/// Joins chains of maps, and maps into the epilogues of operators that have one.
void fuse_maps(Program& program);

}  // namespace lbann::compiler
