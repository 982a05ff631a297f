// The sizes of the mesh axes and the local batch.
#include <algorithm>

#include "schemas/specialization/passes.hpp"

namespace lbann {

std::int64_t local_samples(std::int64_t samples, std::int64_t ranks, std::int64_t rank) {
  return part_of(samples, ranks, rank).size;
}

namespace {

std::optional<std::string> verify(Placement const& placement) {
  std::int64_t ranks = 1;
  for (auto const& axis : placement.mesh) {
    if (axis.size <= 0 || __builtin_mul_overflow(ranks, axis.size, &ranks))
      return "mesh axis `" + axis.name + "` has size " + std::to_string(axis.size);
    if (axis.name != MeshAxes::data && axis.name != MeshAxes::rows &&
        axis.name != MeshAxes::columns && axis.size != 1)
      return "mesh axis `" + axis.name + "` is divided: only `data`, `rows` and `columns` can be";
  }
  if (placement.rank < 0 || placement.rank >= ranks)
    return "rank " + std::to_string(placement.rank) + " is outside a mesh of " +
           std::to_string(ranks);
  if (placement.mini_batch <= 0)
    return "a mini-batch of " + std::to_string(placement.mini_batch) + " samples";
  if (placement.threads <= 0) return "a rank of " + std::to_string(placement.threads) + " threads";
  return std::nullopt;
}

/// Whether all bytes of `tensors` can be counted for this batch.
bool countable(std::vector<Tensor> const& tensors, std::int64_t batch) {
  std::int64_t total = 0;
  for (auto const& tensor : tensors) {
    auto bytes = static_cast<std::int64_t>(bytes_of(tensor.type.type));
    for (auto extent : tensor.type.shape.extents)
      if (__builtin_mul_overflow(bytes, extent.size, &bytes) ||
          (extent.batch && __builtin_mul_overflow(bytes, batch, &bytes)))
        return false;
    if (__builtin_add_overflow(total, bytes, &total)) return false;
  }
  return total < std::int64_t{1} << 60;
}

}  // namespace

Result<Success> bind(Specialization& specialization) {
  auto const& placement = specialization.placement;
  if (auto const fault = verify(placement))
    return Problem{"the program cannot be placed: " + *fault};
  specialization.mesh = Mesh(placement);
  specialization.batch = batch_axes(specialization.program);
  for (auto const& tensor : specialization.program.tensors) {
    auto const sets = in_sets(tensor.distribution, specialization.axes);
    if (!sets) return sets.problem();
    specialization.distributions.push_back(sets.value());
  }
  if (specialization.mesh.size(~specialization.batch) > 1)
    return Problem{
        "a mesh of several rows or columns splits nothing of this plan: no layer has `data_layout: "
        "model_parallel`"};
  specialization.largest_batch =
      specialization.mesh.part(placement.mini_batch, specialization.batch).size;
  if (!countable(specialization.program.tensors, placement.mini_batch))
    return Problem{"the program cannot be placed: a mini-batch of " +
                   std::to_string(placement.mini_batch) +
                   " samples needs more bytes than there are"};
  return Success{};
}

}  // namespace lbann
