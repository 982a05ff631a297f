// Callback `im_comm`, declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct im_comm {
  static constexpr std::string_view name = "im_comm";
  static constexpr std::string_view summary =
      "Averages gradients over trainers; LBANN has removed it.";
  static constexpr Support support = Support::unimplemented;

  std::string intertrainer_comm_method;
  bool all_optimizers = false;

  static constexpr auto fields() {
    return std::tuple{field("intertrainer_comm_method", &im_comm::intertrainer_comm_method,
                            "How gradients are averaged."),
                      field("all_optimizers", &im_comm::all_optimizers,
                            "For all weights, not only those named.")};
  }
};

}  // namespace lbann::callbacks
