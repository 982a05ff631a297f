// A few elements of a map for each index.
#include "kernels/kokkos/map_engine.hpp"

#include "kernels/kokkos/launch.hpp"
#include "kernels/kokkos/map_interpreter.hpp"

namespace lbann::kernels::kokkos {

namespace {

template <class T>
struct Pieces {
  MapCode code;

  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    std::int64_t const begin = piece * device_width, end = begin + device_width;
    run_map<T, device_width, PlainMemory>(code, begin, end < code.elements ? end : code.elements);
  }
};

}  // namespace

std::optional<MapEngine> MapEngine::bind(MapRequest const& request) {
  auto const code = assemble(request);
  if (!code) return {};
  return MapEngine(*code);
}

void MapEngine::run_parallel() const {
  auto const pieces = (code_.elements + device_width - 1) / device_width;
  auto const cost = static_cast<double>(code_.elements) * code_.cost;
  if (code_.compute == DataType::f64)
    launch(pieces, cost, Pieces<double>{code_});
  else
    launch(pieces, cost, Pieces<float>{code_});
}

}  // namespace lbann::kernels::kokkos
