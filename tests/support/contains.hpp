// Whether a text holds another, as tests of messages ask.
#pragma once

#include <string_view>

namespace lbann::testing {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace lbann::testing
