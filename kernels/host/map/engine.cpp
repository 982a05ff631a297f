// Binds maps, runs ranges of them on a host thread and all of them in parallel.
#include "kernels/host/map/engine.hpp"

#include "kernels/host/map/cpu_memory.hpp"
#include "kernels/map/aot_kernels.hpp"
#include "kernels/map/map_views.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Tiles a thread takes at once: enough to hide the set-up of a range.
constexpr std::int64_t tiles_at_once = 8;

/// Marks the outputs written with non-temporal stores: large ones of maps bound by memory, unless
/// an operand lies in the same memory and was just read into the cache.
void choose_non_temporal_stores(MapRequest const& request, MapCode& code) {
  bool const bound_by_memory = code.cost <= moving_cost(request, code);
  for (std::size_t o = 0; o < request.outputs.size(); ++o) {
    auto& output = code.outputs[o];
    auto const bytes = code.elements * std::int64_t(bytes_of(output.type));
    output.non_temporal = bound_by_memory && !output.shared && output.data != nullptr &&
                          output.type == code.compute && bytes >= non_temporal_bytes_in_order();
  }
}

void run_range(MapCode const& code, std::int64_t begin, std::int64_t end, MapOverride put) {
  if (begin >= end) return;
  if (code.compute == DataType::f64)
    run_map<double, tile_width<double>, CpuMemory>(code, begin, end, put);
  else
    run_map<float, tile_width<float>, CpuMemory>(code, begin, end, put);
}

}  // namespace

std::optional<MapEngine> MapEngine::bind(MapRequest const& request) {
  auto code = assemble(request);
  if (!code) return {};
  choose_non_temporal_stores(request, *code);
  return MapEngine(*code, RegisterMap::bind(request, *code),
                   request.shape.empty() ? 1 : request.shape.back());
}

void MapEngine::run(std::int64_t begin, std::int64_t end) const {
  if (in_registers_) return in_registers_->run(code_, begin, end);
  run_range(code_, begin, end, {});
}

void MapEngine::run(std::int64_t begin, std::int64_t end, void const* first) const {
  run_range(code_, begin, end, {first, nullptr});
}

void MapEngine::run_streaming(std::int64_t begin, std::int64_t end, void const* first) const {
  run_range(code_, begin, end, {.first = first, .streams = true});
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
  std::int64_t const tile = code_.compute == DataType::f64 ? tile_width<double> : tile_width<float>;
  if (static_cast<double>(code_.elements) * code_.cost < serial_cost || code_.elements <= tile)
    return run(0, code_.elements);
  // Short maps are cut finer, so that all threads have a share.
  auto const threads = ThreadTeam::size();
  auto const share = (code_.elements + threads - 1) / threads;
  auto const piece = std::min(tile * tiles_at_once, (share + tile - 1) / tile * tile);
  launch_on_threads((code_.elements + piece - 1) / piece, [&](std::int64_t index) {
    auto const begin = index * piece;
    run(begin, std::min(begin + piece, code_.elements));
  });
}

std::string_view MapEngine::aot_kernel() const {
  auto const kernel = in_registers_ ? in_registers_->kernel : code_.aot_kernel;
  return kernel == 0 ? std::string_view{} : aot_kernel_name(kernel);
}

}  // namespace lbann::kernels::host
