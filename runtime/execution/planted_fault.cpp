// Read where things are bound, so that a step knows nothing of it.
#include "runtime/execution/planted_fault.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

namespace lbann::runtime {

std::optional<std::int64_t> planted_fault(PlantedFault kind, std::int64_t rank) {
  char const* const wish = std::getenv("LBANN_PLANT_FAULT");
  if (wish == nullptr) return std::nullopt;
  std::string_view const text = wish;
  auto const before =
      std::to_string(rank) + (kind == PlantedFault::instruction ? ":instruction:" : ":read:");
  if (!text.starts_with(before)) return std::nullopt;
  std::int64_t times = 0;
  auto const number = text.substr(before.size());
  std::from_chars(number.data(), number.data() + number.size(), times);
  return times;
}

}  // namespace lbann::runtime
