// Portable kernel of scatter: an element of some places of the output for each index, which goes
// through all picks in order. So results do not depend on the number of threads, and no two write
// to one place. A table with an epilogue is summed up in blocks of places.
#include <algorithm>

#include "kernels/kokkos/functor_kernel.hpp"
#include "kernels/kokkos/map_engine.hpp"
#include "kernels/map/row_blocks.hpp"
#include "kernels/selection/list.hpp"
#include "kernels/shapes/indexed.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T, class Index>
struct Scatter {
  T const* values;
  Index const* indices;
  T* y;
  Indexed at;
  std::int64_t base, places;   ///< of the output, that lie at y
  std::int64_t range, ranges;  ///< places of an index, of all

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    auto const i = index % at.inner, first = index / at.inner % ranges * range;
    auto const last = first + range < places ? first + range : places;
    auto const row = index / at.inner / ranges;
    Index const* const picks = indices + row / at.outer * at.picks;
    T const* const from = values + row * at.picks * at.inner + i;
    T* const to = y + row * places * at.inner + i;
    for (auto place = first; place < last; ++place) to[place * at.inner] = T(0);
    for (std::int64_t p = 0; p < at.picks; ++p) {
      auto const place = place_of(picks[p], at.count) - base;
      if (place >= first && place < last) to[place * at.inner] += from[p * at.inner];
    }
  }
};

/// For places [base, base + places) of the output, at y.
template <class T, class Index>
Scatter<T, Index> scatter_to(Call const& call, T* y, std::int64_t base, std::int64_t places) {
  auto const& op = operator_of<operators::scatter>(call);
  auto const at = indexed_of(call.outputs[0], call.inputs[1], op.axis, op.batch_axes);
  // Every index goes through all picks: no more of them than run at the same time.
  auto const elements = std::max<std::int64_t>(1, at.batch * at.outer * at.inner);
  auto const shares = std::max<std::int64_t>(1, 4 * concurrency() / elements);
  auto const range = std::max<std::int64_t>(1, (places + shares - 1) / shares);
  return {call.inputs[0].as<T>(),      call.inputs[1].as<Index>(), y, at, base, places, range,
          (places + range - 1) / range};
}

template <class T, class Index>
std::int64_t indices_of(Scatter<T, Index> const& scatter) {
  auto const& at = scatter.at;
  return at.batch * at.outer * at.inner * scatter.ranges;
}

template <class T, class Index>
double cost_of(Scatter<T, Index> const& scatter) {
  auto const& at = scatter.at;
  return static_cast<double>(at.batch * at.outer * at.inner * (scatter.places + 2 * at.picks));
}

template <class T, class Index>
class ScatterWithEpilogue : public Kernel {
 public:
  explicit ScatterWithEpilogue(Call const& call)
      : blocks_(operator_of<operators::scatter>(call).epilogue, call, sizeof(T)) {
    for (auto const& block : blocks_.blocks())
      parts_.push_back(
          scatter_to<T, Index>(call, static_cast<T*>(block.product), block.row, block.rows));
  }

  void run() override {
    std::size_t number = 0;
    blocks_.for_each([&](RowBlock const&) {
      auto const& part = parts_[number++];
      launch(indices_of(part), cost_of(part), part);
    });
  }

 private:
  RowBlocks<MapEngine> blocks_;
  std::vector<Scatter<T, Index>> parts_;  ///< per block
};

}  // namespace

Implementation scatter_kernel() {
  return {
      "kokkos",
      [](Call const& call) {
        auto const type = call.inputs[0].type;
        if ((type != DataType::f32 && type != DataType::f64) || !is_index_type(call.inputs[1].type))
          return false;
        auto const& epilogue = operator_of<operators::scatter>(call).epilogue;
        return epilogue.empty() || (takes_product<MapEngine>(epilogue, call) &&
                                    RowBlocks<MapEngine>::fits(call, bytes_of(type)));
      },
      [](Call const& call) {
        auto const& op = operator_of<operators::scatter>(call);
        return with_floating(call.inputs[0].type, [&](auto zero) {
          return with_index_type(call.inputs[1].type, [&](auto index) -> std::unique_ptr<Kernel> {
            using T = decltype(zero);
            using Index = decltype(index);
            if (!op.epilogue.empty()) return std::make_unique<ScatterWithEpilogue<T, Index>>(call);
            auto const& y = call.outputs[0];
            auto const whole = scatter_to<T, Index>(call, y.as<T>(), 0,
                                                    y.extents[static_cast<std::size_t>(op.axis)]);
            return functor_kernel(indices_of(whole), cost_of(whole), whole);
          });
        });
      }};
}

}  // namespace lbann::kernels::kokkos
