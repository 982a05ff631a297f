// Sizes of one sample along its axes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lbann::compiler {

/// Sizes of one sample, without the mini-batch.
using Dims = std::vector<std::int64_t>;

/// `[1, 28, 28]`, as messages and texts show them.
std::string to_text(Dims const& dims);

}  // namespace lbann::compiler
