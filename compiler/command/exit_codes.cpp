// Codes in the order of how much they say.
#include "compiler/command/exit_codes.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "schemas/files/standard_streams.hpp"

namespace lbann::compiler {

int worse(int code, int other) {
  constexpr std::array<int, 6> order = {
      good, unknown_outcome, wrong_experiment, wrong_command_line, file_problem, internal_error};
  return std::ranges::find(order, code) < std::ranges::find(order, other) ? other : code;
}

int fail(ExitCode code, std::string const& message) {
  std::fprintf(stderr, "lbann-compile: %s\n", message.c_str());
  return code;
}

int give(std::string_view text) {
  auto const printed = print(text);
  return printed ? good : fail(file_problem, printed.problem().message);
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
}

}  // namespace lbann::compiler
