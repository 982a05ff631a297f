// Which gradients are summed in shared memory.
#include "schemas/specialization/passes.hpp"
#include "schemas/specialization/summed_updates.hpp"

namespace lbann {

namespace {

/// Gradients of fewer bytes, all together, travel as well in one message.
constexpr std::int64_t least_gradients = std::int64_t{64} << 10;

/// Whether the sum can be taken in the gradient's own memory, of which every rank gets a part.
bool can_be_shared(Specialization const& specialization, SummedUpdate const& update) {
  auto const& program = specialization.program;
  auto const& [type, shape] = program[update.whole].type;
  bool const in_place =
      update.parts == update.whole || program[update.parts].role == TensorRole::activation;
  return in_place && program[update.whole].role == TensorRole::gradient &&
         (type == DataType::f32 || type == DataType::f64) &&
         specialization.elements(update.whole) >= specialization.mesh.ranks() * padded_elements;
}

}  // namespace

void share_gradients(Specialization& specialization) {
  if (!shares_memory(specialization)) return;
  auto const& program = specialization.program;
  auto updates = summed_updates(program);
  std::int64_t bytes = 0;
  std::erase_if(updates, [&](SummedUpdate const& update) {
    if (!can_be_shared(specialization, update)) return true;
    bytes += specialization.bytes(update.whole);
    return false;
  });
  if (bytes < least_gradients) return;
  share_state(specialization, updates);
  for (auto const& update : updates) specialization.shared[update.whole.index()] = true;
}

}  // namespace lbann
