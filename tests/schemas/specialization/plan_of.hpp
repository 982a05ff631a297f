// Plans of programs that stand in a test.
#pragma once

#include <doctest/doctest.h>

#include <string_view>

#include "schemas/plan/plan.hpp"
#include "schemas/program/distribution.hpp"

namespace lbann::tests {

/// A plan of the program in `text`, which must be one whose distributions are sound.
inline Plan plan_of(std::string_view text, std::int64_t mini_batch_size) {
  auto parsed = parse_program(text);
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  Plan plan;
  plan.program = std::move(parsed).value();
  plan.mini_batch_size = mini_batch_size;
  REQUIRE(verify_distribution(plan.program).value_or("") == "");
  return plan;
}

}  // namespace lbann::tests
