// Callback `profiler`, accepted without effect.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct profiler {
  static constexpr std::string_view name = "profiler";
  static constexpr std::string_view summary =
      "Marks layers and phases for the profiler of the device's vendor.";
  static constexpr Support support = Support::ignored;
  static constexpr std::string_view reason =
      "there is no device whose profiler could see marks; `--trace` and `--profile` of lbann-run "
      "tell times";

  bool sync = false;
  bool skip_init = false;

  static constexpr auto fields() {
    return std::tuple{field("sync", &profiler::sync, "Wait for the device at every mark."),
                      field("skip_init", &profiler::skip_init, "Leave the first epoch out.")};
  }
};

}  // namespace lbann::callbacks
