// Fault injection for test programs; lbann-run links functions that inject none.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace lbann::kernels {
class Kernel;
}

namespace lbann::runtime {

class Feed;

/// A kernel that fails, to run in the middle of `entry` on `rank`; null if there is none.
std::unique_ptr<kernels::Kernel> planted_kernel(std::string_view entry, std::int64_t rank);

/// `feed`, the training data of `rank`, or one that fails after some of its mini-batches.
std::unique_ptr<Feed> with_planted_fault(std::unique_ptr<Feed> feed, std::int64_t rank);

}  // namespace lbann::runtime
