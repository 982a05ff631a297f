// Callback `sync_layers`, accepted without effect.
#pragma once

#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct sync_layers {
  static constexpr std::string_view name = "sync_layers";
  static constexpr std::string_view summary =
      "Waits after every layer, so that its time is its own.";
  static constexpr Support support = Support::ignored;
  static constexpr std::string_view reason =
      "instructions run one after the other; `--profile` of lbann-run tells their times";

  bool sync_gpus = false;
  bool sync_mpi = false;
  bool only_input = false;

  static constexpr auto fields() {
    return std::tuple{field("sync_gpus", &sync_layers::sync_gpus, "Wait for the device."),
                      field("sync_mpi", &sync_layers::sync_mpi, "Wait for the other ranks."),
                      field("only_input", &sync_layers::only_input, "After input layers only.")};
  }
};

}  // namespace lbann::callbacks
