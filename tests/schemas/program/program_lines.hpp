// Programs as lines of text, before and after something is done to them.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "schemas/program/program.hpp"

namespace lbann::tests {

/// The lines of the program of these tensors and of these lines in `train`, after
/// `change(program)`; both must be sound.
template <class Change>
std::string changed_lines(std::string const& tensors, std::string const& lines,
                          Change const& change) {
  auto parsed = parse_program(tensors + "entry train:\n" + lines);
  REQUIRE_MESSAGE(parsed.good(), (parsed.good() ? "" : parsed.problem().message));
  auto program = std::move(parsed).value();
  auto const before = verify(program);
  REQUIRE_MESSAGE(!before, before.value_or(""));
  change(program);
  auto const after = verify(program);
  CHECK_MESSAGE(!after, after.value_or(""));
  std::string text;
  for (auto const& instruction : program.entry_points[0].instructions)
    text += to_text(program, instruction) + "\n";
  return text;
}

}  // namespace lbann::tests
