// Writes, compiles and launches the text of a map.
#include "kernels/jit/map_function.hpp"

#include "kernels/jit/map_text.hpp"

namespace lbann::kernels::jit {

std::optional<MapFunction> MapFunction::bind(MapRequest const& request) {
  if (!is_available()) return {};
  auto plain = request;
  plain.aot_kernels = false;
  auto const code = assemble(plain);
  if (!code) return {};
  auto const text = map_text(*code);
  MapFunction map;
  map.function_ = compile(text.text, "map");
  map.arguments_ = map_arguments(*code);
  auto const of_block = std::int64_t{map_threads} * text.width;
  map.blocks_ = (code->elements + of_block - 1) / of_block;
  return map;
}

void MapFunction::run() const {
  if (blocks_ > 0) function_->launch(blocks_, map_threads, &arguments_);
}

}  // namespace lbann::kernels::jit
