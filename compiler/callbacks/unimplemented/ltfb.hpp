// Callback `ltfb`, declared but not built.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

enum class Exchange : std::uint8_t { sendrecv_weights, checkpoint_file, checkpoint_binary };

struct ltfb {
  static constexpr std::string_view name = "ltfb";
  static constexpr std::string_view summary =
      "Plays tournaments between trainers; the training algorithm `ltfb` takes its place.";
  static constexpr Support support = Support::unimplemented;

  std::int64_t batch_interval = 1;
  std::string metric;
  std::vector<std::string> weights;
  bool low_score_wins = false;
  Exchange communication_algorithm = Exchange::sendrecv_weights;
  bool exchange_hyperparameters = false;
  std::string checkpoint_basedir;

  static constexpr auto fields() {
    return std::tuple{
        field("batch_interval", &ltfb::batch_interval, "Play every so many steps.",
              Presence::optional, "steps", counted_from_one),
        field("metric", &ltfb::metric, "Name of the metric that decides.", Presence::required),
        field("weights", &ltfb::weights,
              "Names of the weights that are exchanged; all if left out."),
        field("low_score_wins", &ltfb::low_score_wins,
              "Whether the lower value of the metric wins."),
        field("communication_algorithm", &ltfb::communication_algorithm,
              "How models are exchanged."),
        field("exchange_hyperparameters", &ltfb::exchange_hyperparameters,
              "Exchange the optimizer's numbers too."),
        written_path(
            field("checkpoint_basedir", &ltfb::checkpoint_basedir, "Folder of exchanged models."))};
  }
};

}  // namespace lbann::callbacks

template <>
inline constexpr auto lbann::enum_names<lbann::callbacks::Exchange> =
    std::array<std::string_view, 3>{"sendrecv_weights", "checkpoint_file", "checkpoint_binary"};
