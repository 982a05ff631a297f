// Whether any number can lie within the bounds.
#include "schemas/callbacks/check_metric.hpp"

#include <array>
#include <charconv>

#include "schemas/diagnostics/graph.hpp"

namespace lbann::callbacks {

namespace {

/// The shortest text that reads as the same number.
std::string shortest_text(double number) {
  std::array<char, 32> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

}  // namespace

void check_metric::check(Findings& findings) const {
  if (lower_bound > upper_bound)
    findings.add(diagnostics::empty_bounds, "lower_bound",
                 {shortest_text(lower_bound), shortest_text(upper_bound)});
}

}  // namespace lbann::callbacks
