// Machines as command lines say them.
#include "schemas/reports/machine.hpp"

#include <array>
#include <cmath>
#include <string>

#include "schemas/reports/named_numbers.hpp"

namespace lbann {

Result<Machine> parse_machine(std::string_view text) {
  Machine machine;
  constexpr std::string_view latency = "latency";
  std::array<std::pair<std::string_view, double*>, 4> const numbers = {{
      {"flops", &machine.flops},
      {"memory", &machine.memory},
      {"network", &machine.network},
      {latency, &machine.latency},
  }};
  // Only messages may cost nothing beside their bytes.
  auto const accepts = [&](std::string_view name, double number) {
    return std::isfinite(number) && (number > 0 || (number == 0 && name == latency));
  };
  if (auto const wrong = read_named_numbers<double>(text, numbers, accepts))
    return Problem{"`" + std::string(*wrong) +
                   "` says nothing of a machine; write for example "
                   "flops=1e11,memory=1e10,network=1e10,latency=2e-6"};
  return machine;
}

}  // namespace lbann
