// Callback `save_topk_models`, declared but not built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct save_topk_models {
  static constexpr std::string_view name = "save_topk_models";
  static constexpr std::string_view summary = "Saves the best models of all trainers after a test.";
  static constexpr Support support = Support::unimplemented;

  std::string dir;
  std::int64_t k = 0;
  std::string metric;
  bool ascending_ordering = false;

  static constexpr auto fields() {
    return std::tuple{
        written_path(field("dir", &save_topk_models::dir, "Folder to write.", Presence::required)),
        field("k", &save_topk_models::k, "How many.", Presence::required, "models", at_least_one),
        field("metric", &save_topk_models::metric, "Name of the metric that decides.",
              Presence::required),
        field("ascending_ordering", &save_topk_models::ascending_ordering,
              "Whether the lowest values are the best.")};
  }
};

}  // namespace lbann::callbacks
