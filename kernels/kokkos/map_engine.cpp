// Binds maps, runs ranges of them on a host thread and all of them in parallel.
#include "kernels/kokkos/map_engine.hpp"

#include "kernels/kokkos/map_core.hpp"

namespace lbann::kernels::kokkos {

namespace {

/// Tiles a thread takes at once: enough to hide the set-up of a range.
constexpr std::int64_t tiles_at_once = 8;

template <class T>
void run_host(MapCode const& code, std::int64_t begin, std::int64_t end, MapOverride put) {
  run_map<T, host_width<T>>(code, begin, end, put);
}

void run_range(MapCode const& code, std::int64_t begin, std::int64_t end, MapOverride put) {
  if (begin >= end) return;
  if (code.compute == DataType::f64)
    run_host<double>(code, begin, end, put);
  else
    run_host<float>(code, begin, end, put);
}

/// A piece of the iteration space for each index.
template <class T>
struct Pieces {
  MapCode code;
  std::int64_t length;

  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    std::int64_t const begin = piece * length;
    std::int64_t const end = begin + length < code.elements ? begin + length : code.elements;
    run_map<T, on_host ? host_width<T> : device_width>(code, begin, end);
  }
};

/// The same on the host without a copy of the code for each thread.
struct HostPieces {
  MapCode const* code;
  std::int64_t length;

  void operator()(std::int64_t piece) const {
    auto const begin = piece * length;
    run_range(*code, begin, std::min(begin + length, code->elements), {});
  }
};

template <class Functor>
void launch_on_device(std::int64_t count, Functor const& functor) {
  using Policy =
      Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("map", Policy(0, count), functor);
}

}  // namespace

std::optional<MapEngine> MapEngine::bind(MapRequest const& request) {
  auto const code = assemble(request);
  if (!code) return {};
  return MapEngine(*code, request.shape.empty() ? 1 : request.shape.back());
}

void MapEngine::run(std::int64_t begin, std::int64_t end) const {
  run_range(code_, begin, end, {});
}

void MapEngine::run(std::int64_t begin, std::int64_t end, void const* first) const {
  run_range(code_, begin, end, {first, nullptr});
}

void MapEngine::run_panel(std::int64_t row_begin, std::int64_t row_end, std::int64_t column_begin,
                          std::int64_t column_end, void const* first, std::int64_t leading) const {
  if (column_begin == 0 && column_end == columns_ && leading == columns_)
    return run(row_begin * columns_, row_end * columns_, first);
  auto const bytes = static_cast<std::int64_t>(bytes_of(code_.operands[0].type));
  for (std::int64_t row = row_begin; row < row_end; ++row)
    run(row * columns_ + column_begin, row * columns_ + column_end,
        static_cast<std::byte const*>(first) + (row - row_begin) * leading * bytes);
}

void MapEngine::evaluate(std::int64_t begin, std::int64_t end, void* values) const {
  run_range(code_, begin, end, {nullptr, values});
}

void MapEngine::run_parallel() const {
  if (code_.elements == 0) return;
  if constexpr (on_host) {
    std::int64_t const tile =
        code_.compute == DataType::f64 ? host_width<double> : host_width<float>;
    auto const length = tile * tiles_at_once;
    if (static_cast<double>(code_.elements) * code_.cost < serial_cost || code_.elements <= tile)
      return run_range(code_, 0, code_.elements, {});
    // Short maps are cut finer, so that all threads have a share.
    auto const threads = ThreadTeam::size();
    auto const share = (code_.elements + threads - 1) / threads;
    auto const piece = std::min(length, (share + tile - 1) / tile * tile);
    launch_on_threads((code_.elements + piece - 1) / piece, HostPieces{&code_, piece});
  } else {
    std::int64_t const count = (code_.elements + device_width - 1) / device_width;
    if (code_.compute == DataType::f64)
      launch_on_device(count, Pieces<double>{code_, device_width});
    else
      launch_on_device(count, Pieces<float>{code_, device_width});
  }
}

std::string_view MapEngine::instance() const {
  return code_.instance == 0 ? std::string_view{} : instance_name(code_.instance);
}

}  // namespace lbann::kernels::kokkos
