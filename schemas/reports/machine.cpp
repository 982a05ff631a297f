// Machines as command lines say them.
#include "schemas/reports/machine.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace lbann {

Result<Machine> parse_machine(std::string_view text) {
  Machine machine;
  auto const wrong = [](std::string_view part) {
    return Problem{"`" + std::string(part) +
                   "` says nothing of a machine; write for example "
                   "flops=1e11,memory=1e10,network=1e10,latency=2e-6"};
  };
  while (true) {
    auto const part = text.substr(0, text.find(','));
    auto const equals = part.find('=');
    if (equals == part.npos) return wrong(part);
    auto const name = part.substr(0, equals), number = part.substr(equals + 1);
    auto* const value = name == "flops"     ? &machine.flops
                        : name == "memory"  ? &machine.memory
                        : name == "network" ? &machine.network
                        : name == "latency" ? &machine.latency
                                            : nullptr;
    if (value == nullptr) return wrong(part);
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), *value);
    bool const whole = error == std::errc() && end == number.data() + number.size();
    // Only messages may cost nothing beside their bytes.
    bool const positive = *value > 0 || (*value == 0 && value == &machine.latency);
    if (!whole || !std::isfinite(*value) || !positive) return wrong(part);
    if (part.size() == text.size()) return machine;
    text.remove_prefix(part.size() + 1);
  }
}

}  // namespace lbann
