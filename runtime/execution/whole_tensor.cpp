// One message from each rank that holds another part.
#include "runtime/execution/whole_tensor.hpp"

#include <cstring>

#include "runtime/execution/box_rows.hpp"
#include "runtime/execution/exchange_transfer.hpp"

namespace lbann::runtime {

std::int64_t TensorPart::bytes_of_whole() const {
  auto bytes = static_cast<std::int64_t>(lbann::bytes_of(type));
  for (auto const extent : extents) bytes *= extent;
  return bytes;
}

bool TensorPart::is_whole() const {
  for (std::size_t d = 0; d < box.rank; ++d)
    if (box.parts[d].size != extents[d]) return false;
  return true;
}

TensorPart part_of(Executor const& executor, TensorId tensor) {
  auto const& program = executor.program();
  auto const view = executor.place(tensor, 0);
  return {program.box(tensor, 0), program.whole_shapes[tensor.index()].at(0), view.type,
          view.as<std::byte>()};
}

void gather_parts(Executor const& executor, TensorId tensor, TensorPart const& part, Wanted wanted,
                  std::byte* whole) {
  auto const& program = executor.program();
  auto const from = program.distribution(tensor);
  auto exchange =
      exchange_of(program.whole_shapes[tensor.index()], from, {}, 0, program.mesh, 0, program.rank);
  bool const receives = wanted == Wanted::everywhere || program.rank == 0;
  if (!receives) exchange.receives.clear();
  if (wanted == Wanted::on_root)
    std::erase_if(exchange.sends, [](ExchangedPiece const& piece) { return piece.peer != 0; });
  auto const element = static_cast<std::int64_t>(bytes_of(part.type));
  std::vector<std::byte> scratch(static_cast<std::size_t>(
      element * (exchange.sent(program.rank) + exchange.received(program.rank))));
  TensorType type{part.type, Shape(part.extents)};
  auto const output = kernels::make_view(whole, type, 0);
  for (std::size_t d = 0; d < part.box.rank; ++d)
    type.shape.extents[d].size = part.box.parts[d].size;
  auto const input = kernels::make_view(part.memory, type, 0);
  auto const transfer =
      exchange_transfer(executor.exchanges(), std::move(exchange), input, output, scratch);
  transfer->post();
  transfer->await();
}

void take_part(TensorPart const& part, std::byte const* whole) {
  BoxRows const rows(part.box, part.extents, static_cast<std::int64_t>(bytes_of(part.type)));
  for (std::int64_t row = 0; row < rows.count(); ++row)
    std::memcpy(part.memory + row * rows.length(), whole + rows.begin(row),
                static_cast<std::size_t>(rows.length()));
}

WholeTensor::WholeTensor(Executor const& executor, TensorId tensor, Wanted wanted)
    : view_(executor.read(tensor, 0)) {
  if (view_.data == nullptr || !executor.program().is_split(tensor)) return;
  auto const part = part_of(executor, tensor);
  bool const here = wanted == Wanted::everywhere || executor.rank() == 0;
  if (here) memory_.resize(static_cast<std::size_t>(part.bytes_of_whole()));
  gather_parts(executor, tensor, part, wanted, memory_.data());
  view_ = kernels::make_view(here ? memory_.data() : nullptr, {part.type, Shape(part.extents)}, 0);
}

}  // namespace lbann::runtime
