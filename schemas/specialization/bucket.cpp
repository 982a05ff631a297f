// The arenas of state, gradients, inputs and results.
#include <algorithm>
#include <limits>

#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

/// Weights in order of gradient readiness in `train`: those whose gradient is finished first stand
/// first; those whose gradient is never stored (untrained, or used where it is computed) last.
std::vector<TensorId> by_readiness(Specialization const& specialization) {
  auto const& program = specialization.program;
  constexpr auto never = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> ready(program.tensors.size(), never);
  if (auto const* train = program.entry_point("train")) {
    std::vector<std::size_t> written(program.tensors.size(), never);
    for (std::size_t i = 0; i < train->instructions.size(); ++i)
      for (auto id : train->instructions[i].outputs)
        written[specialization.storage[id.index()].index()] = i;
    for (std::size_t i = 0; i < program.tensors.size(); ++i)
      if (program.tensors[i].role == TensorRole::gradient)
        ready[program.tensors[i].owner.index()] = written[i];
  }
  std::vector<TensorId> weights;
  for (std::size_t i = 0; i < program.tensors.size(); ++i)
    if (program.tensors[i].role == TensorRole::weights) weights.emplace_back(i);
  std::ranges::stable_sort(
      weights, [&](TensorId a, TensorId b) { return ready[a.index()] < ready[b.index()]; });
  return weights;
}

/// Least bytes of a bucket: below, the time of a message hardly depends on its size.
constexpr std::int64_t least_bucket = std::int64_t{64} << 10;
/// Most bytes that gradients are gathered to; a single larger one is a bucket of its own.
constexpr std::int64_t most_bucket = std::int64_t{4} << 20;

constexpr std::int64_t page = 4096;

/// Bytes after which a bucket of gradients ends: some four buckets, so that most of them travel
/// while the backward pass goes on.
std::int64_t bucket_bytes(std::int64_t all) {
  return std::clamp(all / 4, least_bucket, most_bucket);
}

/// Storages that are summed over ranks in place.
std::vector<bool> find_summed(Specialization const& specialization) {
  auto const& program = specialization.program;
  std::vector<bool> summed(program.tensors.size(), false);
  for (auto const& entry : program.entry_points)
    for (auto const& instruction : entry.instructions)
      if (is_sum(instruction) && instruction.inputs == instruction.outputs)
        summed[specialization.storage[instruction.inputs[0].index()].index()] = true;
  return summed;
}

/// Numbers the buckets of those gradients that are summed, in the order of their places.
void cut_buckets(Specialization& specialization, std::vector<TensorId> const& gradients,
                 std::vector<bool> const& summed) {
  std::int64_t all = 0, bytes = 0;
  for (auto id : gradients)
    if (summed[id.index()]) all += specialization.bytes(id);
  std::int32_t number = 1;  // 0 is that of all other sums
  for (auto id : gradients) {
    if (!summed[id.index()]) continue;
    specialization.bucket[id.index()] = number;
    bytes += specialization.bytes(id);
    if (bytes < bucket_bytes(all)) continue;
    ++number;
    bytes = 0;
  }
}

/// Within a bucket puts weights of one type together, so that gradients of either travel in one
/// message, and updates of either are one map.
void group_types(Specialization const& specialization, std::vector<TensorId> const& gradients,
                 std::vector<TensorId>& weights) {
  auto const& tensors = specialization.program.tensors;
  std::vector<std::int32_t> buckets(tensors.size(), std::numeric_limits<std::int32_t>::max());
  for (auto id : gradients)
    if (auto const number = specialization.bucket[id.index()]; number != no_bucket)
      buckets[tensors[id.index()].owner.index()] = number;
  std::ranges::stable_sort(weights, {}, [&](TensorId id) {
    return std::pair(buckets[id.index()], tensors[id.index()].type.type);
  });
}

/// Those in shared memory lie in a block of each rank, in the same order, at equal offsets.
void append_gradients(Specialization& specialization, std::vector<TensorId> const& gradients) {
  auto& own_end = specialization.arena_bytes[static_cast<std::size_t>(Arena::gradients)];
  auto& end = specialization.arena_bytes[static_cast<std::size_t>(Arena::shared)];
  std::int64_t block = 0;
  for (auto const id : gradients)
    if (specialization.is_shared(id)) block += specialization.padded_bytes(id);
  // Ranks write to no page of another one's block.
  if (block > 0) end = (end + page - 1) / page * page;
  block = (block + page - 1) / page * page;
  specialization.gradient_block = block;
  specialization.own_gradients = end + specialization.placement.rank * block;
  auto shared_end = specialization.own_gradients;
  for (auto const id : gradients) {
    bool const shared = specialization.is_shared(id);
    auto& at = shared ? shared_end : own_end;
    specialization.slots[id.index()] = {shared ? Arena::shared : Arena::gradients, at,
                                        specialization.bytes(id), true};
    at += specialization.padded_bytes(id);
  }
  end += specialization.mesh.ranks() * block;
}

}  // namespace

std::int64_t Specialization::padded_bytes(TensorId tensor) const {
  auto const type = program[tensor].type.type;
  switch (program[tensor].role) {
    case TensorRole::weights:
    case TensorRole::gradient:
    case TensorRole::moment:
      return (elements(tensor) + padded_elements - 1) / padded_elements * padded_elements *
             static_cast<std::int64_t>(bytes_of(type));
    default:
      return aligned(bytes(tensor));
  }
}

void bucket(Specialization& specialization) {
  auto const& tensors = specialization.program.tensors;
  auto& arena_bytes = specialization.arena_bytes;
  specialization.slots.assign(tensors.size(), {});
  auto const append_to = [&](Arena arena, TensorId id) {
    auto& end = arena_bytes[static_cast<std::size_t>(arena)];
    specialization.slots[id.index()] = {arena, end, specialization.bytes(id), true};
    end += specialization.padded_bytes(id);
  };
  auto const append = [&](TensorId id) {
    append_to(specialization.is_shared(id) ? Arena::shared : arena_of(tensors[id.index()]), id);
  };

  std::vector<bool> touched(tensors.size(), false);
  for (auto const& entry : specialization.program.entry_points)
    for (auto const& instruction : entry.instructions) {
      for (auto id : instruction.inputs) touched[specialization.storage[id.index()].index()] = true;
      for (auto id : instruction.outputs)
        touched[specialization.storage[id.index()].index()] = true;
    }
  auto summed = find_summed(specialization);
  // Sums in shared memory are no messages.
  for (std::size_t i = 0; i < summed.size(); ++i)
    if (specialization.is_shared(TensorId(i))) summed[i] = false;
  specialization.bucket.assign(tensors.size(), no_bucket);
  for (auto const& entry : specialization.program.entry_points)
    for (auto const& instruction : entry.instructions) {
      if (!is_sum(instruction)) continue;
      auto const id = specialization.storage[instruction.inputs[0].index()];
      auto& number = specialization.bucket[id.index()];
      if (number != no_bucket || !summed[id.index()] || id != instruction.inputs[0] ||
          tensors[id.index()].role != TensorRole::activation ||
          tensors[id.index()].type.shape.has_batch())
        continue;
      number = 0;
      append_to(Arena::messages, id);
    }
  // Per weights: its gradient if it is ever stored, its moments by slot.
  std::vector<std::vector<TensorId>> owned(tensors.size());
  std::uint8_t last_slot = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    auto const& tensor = tensors[i];
    switch (tensor.role) {
      case TensorRole::moment:
        last_slot = std::max(last_slot, tensor.slot);
        [[fallthrough]];
      case TensorRole::gradient:
        if (tensor.role == TensorRole::moment || touched[i])
          owned[tensor.owner.index()].emplace_back(i);
        break;
      case TensorRole::input:
      case TensorRole::result:
      case TensorRole::statistic:
        append(TensorId(i));
        break;
      default:
        break;
    }
  }
  auto weights = by_readiness(specialization);
  auto const gradients_of = [&](std::vector<TensorId> const& owners) {
    std::vector<TensorId> gradients;
    for (auto owner : owners)
      for (auto id : owned[owner.index()])
        if (tensors[id.index()].role == TensorRole::gradient) gradients.push_back(id);
    return gradients;
  };
  auto const gradients = gradients_of(weights);
  cut_buckets(specialization, gradients, summed);
  group_types(specialization, gradients, weights);
  for (auto id : weights) append(id);
  append_gradients(specialization, gradients_of(weights));
  for (int slot = 0; slot <= last_slot; ++slot)
    for (auto owner : weights)
      for (auto id : owned[owner.index()])
        if (tensors[id.index()].role == TensorRole::moment && tensors[id.index()].slot == slot)
          append(id);
}

}  // namespace lbann
