// Dims of a data field that are said outside of the experiment.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/diagnostics/render.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// `samples=1x28x28`, from `begin` to `end` of a text.
struct GivenDims {
  Source source;
  std::uint32_t begin = 0, end = 0;
};

/// An argument of `--field`.
inline GivenDims given_on_command_line(std::string const& argument) {
  std::string const option = "--field ";
  return {{std::string(command_line_name), option + argument},
          static_cast<std::uint32_t>(option.size()),
          static_cast<std::uint32_t>(option.size() + argument.size())};
}

}  // namespace lbann::compiler
