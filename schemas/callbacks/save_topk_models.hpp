// Callback: the best models of all trainers, written after the test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "schemas/callbacks/model_view.hpp"
#include "schemas/callbacks/references.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct save_topk_models {
  static constexpr std::string_view name = "save_topk_models";
  static constexpr std::string_view summary =
      "Ranks the trainers by a metric of their tests; the best `k` write every weights object as "
      "`<dir>/trainer<n>/<name>.npy`, all or nothing. Of trainers with equal values "
      "the first is the better; one with NaN, or without a test after a signal, writes nothing.";

  /// Whether trainers wait for one another, so that all must have the callback.
  static constexpr bool compares_trainers = true;

  std::string dir;
  std::int64_t k = 0;
  std::string metric;
  bool ascending_ordering = false;

  static constexpr Reference references[] = {{"metric", Referent::metric}};

  static constexpr auto fields() {
    return std::tuple{
        written_path(field("dir", &save_topk_models::dir,
                           "Folder to write, in the folder of the run.", Presence::required)),
        field("k", &save_topk_models::k, "How many.", Presence::required, "models",
              counted_from_one),
        field("metric", &save_topk_models::metric, "Name of the metric that decides.",
              Presence::required),
        field("ascending_ordering", &save_topk_models::ascending_ordering,
              "Whether the lowest values are the best.")};
  }

  void check(ModelView const& model, Findings& findings) const;
};

}  // namespace lbann::callbacks
