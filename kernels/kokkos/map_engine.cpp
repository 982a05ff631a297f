// An element of a map for each index.
#include "kernels/kokkos/map_engine.hpp"

#include "kernels/kokkos/aot_element.hpp"
#include "kernels/kokkos/launch.hpp"
#include "kernels/kokkos/map_element.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T, class Aot>
struct Elements {
  MapCode code;
  bool placed;
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    MapElement<T, Aot>(code, placed, index).write();
  }
};

template <class T, class Aot>
void launch_elements(MapCode const& code) {
  auto const cost = static_cast<double>(code.elements) * code.cost;
  if constexpr (Aot::outputs > 0)
    if (auto const element = AotElement<T, Aot>::bind(code))
      return launch(code.elements, cost, *element);
  launch(code.elements, cost, Elements<T, Aot>{code, MapElement<T, Aot>::needs_place(code)});
}

/// Launches of maps without an ahead-of-time kernel, and of those with each.
template <class T, std::size_t... n>
auto launcher_of(std::size_t aot_kernel, std::index_sequence<n...>) {
  using Launch = void (*)(MapCode const&);
  constexpr Launch launches[] = {&launch_elements<T, NoAotKernel>,
                                 &launch_elements<T, std::tuple_element_t<n, aot::List>>...};
  return launches[aot_kernel];
}

}  // namespace

std::optional<MapEngine> MapEngine::bind(MapRequest const& request) {
  auto const code = assemble(request);
  if (!code) return {};
  MapEngine engine(*code);
  engine.compiled_ = jit::MapFunction::bind(request);
  return engine;
}

MapEngine::MapEngine(MapCode const& code) : code_(code) {
  using All = std::make_index_sequence<std::tuple_size_v<aot::List>>;
  launch_ = code.compute == DataType::f64 ? launcher_of<double>(code.aot_kernel, All{})
                                          : launcher_of<float>(code.aot_kernel, All{});
}

void MapEngine::run_parallel() const {
  if (compiled_) return compiled_->run();
  launch_(code_);
}

}  // namespace lbann::kernels::kokkos
