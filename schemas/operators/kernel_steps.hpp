// How a kernel moves over spatial axes: what the convolution and its gradients are told alike.
#pragma once

#include "schemas/operators/operator.hpp"

namespace lbann::operators {

/// Base of `convolution` and its gradients; one number per spatial axis.
struct KernelSteps {
  std::vector<std::int64_t> stride;
  std::vector<std::int64_t> padding;  ///< zeros on both sides
  std::vector<std::int64_t> dilation;
  std::int64_t groups = 1;

  static constexpr auto step_fields() {
    return std::tuple{
        field("stride", &KernelSteps::stride, "Step of the window along each spatial axis.",
              Presence::required),
        field("padding", &KernelSteps::padding, "Zeros on both sides of each spatial axis.",
              Presence::required),
        field("dilation", &KernelSteps::dilation,
              "Distance of the window's taps along each spatial axis.", Presence::required),
        field("groups", &KernelSteps::groups, "Channel groups that do not see each other.")};
  }

  friend bool operator==(KernelSteps const&, KernelSteps const&) = default;
};

}  // namespace lbann::operators
