// Fuzzes the loading of plans: the bytes of a body, with a header that fits them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "schemas/plan/header.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/specialization/specialize.hpp"

using namespace lbann;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // A seed is a whole file; without a header of its own it would be mutated in vain.
  if (size < plan_header_bytes) return 0;
  std::vector<std::uint8_t> file(data, data + size);
  write_header(file);
  auto const plan = decode(file);
  if (!plan) {
    if (plan.problem().message.empty()) std::abort();
    return 0;
  }
  if (!std::ranges::equal(encode(plan.value()), file)) std::abort();
  Placement placement;
  placement.mini_batch = plan.value().mini_batch_size;
  auto const program = specialize(plan.value(), placement);
  if (!program && program.problem().message.empty()) std::abort();
  return 0;
}
