// Views of tensors, and the first implementation that accepts.
#include "kernels/kernel.hpp"

#include <algorithm>

#include "kernels/device/device.hpp"
#include "kernels/staged.hpp"

namespace lbann::kernels {

View make_view(void* data, TensorType const& type, std::int64_t samples) {
  View view;
  view.data = data;
  view.type = type.type;
  view.rank = static_cast<std::uint8_t>(std::min(type.shape.rank(), max_rank));
  for (std::size_t i = 0; i < view.rank; ++i) view.extents[i] = type.shape.extents[i].at(samples);
  return view;
}

std::unique_ptr<Kernel> bind(Call const& call, Selection selection, std::string_view* chosen) {
  auto const list = implementations(call.op->index());
  for (auto const& implementation :
       selection == Selection::best || list.empty() ? list : list.last(1)) {
    if (!implementation.accepts(call)) continue;
    bool const staged = device::has_own_memory() && implementation.where == Where::host;
    if (chosen != nullptr) *chosen = staged ? "staged" : implementation.name;
    return staged ? staged_kernel(implementation, call) : implementation.bind(call);
  }
  return nullptr;
}

}  // namespace lbann::kernels
