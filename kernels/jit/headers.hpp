// Headers that texts of kernels include.
#pragma once

#include <span>

namespace lbann::kernels::jit {

struct EmbeddedHeader {
  char const* name;
  char const* text;
};

std::span<EmbeddedHeader const> embedded_headers();

}  // namespace lbann::kernels::jit
