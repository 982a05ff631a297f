// Where layers are computed and how they are spread over ranks: fields that change no result.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

enum class DataLayout : std::uint8_t { data_parallel, model_parallel };
enum class Device : std::uint8_t { automatic, cpu, gpu };

/// Why a layout is not obeyed yet.
inline constexpr std::string_view layout_reason =
    "it changes no result, and only mini-batches and weights are split over ranks so far";

namespace sections {

/// How tensors of a layer are split over ranks along axes of a sample.
struct parallel_strategy {
  static constexpr std::string_view name = "parallel_strategy";
  static constexpr std::string_view summary = "How the layer is spread over ranks.";
  static constexpr Support support = Support::ignored;
  static constexpr std::string_view reason = layout_reason;

  std::int64_t sample_groups = 0;
  std::int64_t sample_splits = 0;
  std::int64_t height_groups = 0;
  std::int64_t height_splits = 0;
  std::int64_t width_groups = 0;
  std::int64_t width_splits = 0;
  std::int64_t depth_groups = 0;
  std::int64_t depth_splits = 0;
  std::int64_t channel_groups = 0;
  std::int64_t channel_splits = 0;
  std::int64_t filter_groups = 0;
  std::int64_t filter_splits = 0;
  std::int64_t replications = 0;
  std::int64_t procs_per_replica = 0;
  std::int64_t grid_tag = -1;

  static constexpr auto fields() {
    return std::tuple{
        field("sample_groups", &parallel_strategy::sample_groups,
              "Groups of ranks along the mini-batch; 0: one.", at_least_zero),
        field("sample_splits", &parallel_strategy::sample_splits,
              "Parts of a tensor along the mini-batch; 0: one.", at_least_zero),
        field("height_groups", &parallel_strategy::height_groups,
              "Groups of ranks along the height; 0: one.", at_least_zero),
        field("height_splits", &parallel_strategy::height_splits,
              "Parts of a tensor along the height; 0: one.", at_least_zero),
        field("width_groups", &parallel_strategy::width_groups,
              "Groups of ranks along the width; 0: one.", at_least_zero),
        field("width_splits", &parallel_strategy::width_splits,
              "Parts of a tensor along the width; 0: one.", at_least_zero),
        field("depth_groups", &parallel_strategy::depth_groups,
              "Groups of ranks along the depth; 0: one.", at_least_zero),
        field("depth_splits", &parallel_strategy::depth_splits,
              "Parts of a tensor along the depth; 0: one.", at_least_zero),
        field("channel_groups", &parallel_strategy::channel_groups,
              "Groups of ranks along the channels; 0: one.", at_least_zero),
        field("channel_splits", &parallel_strategy::channel_splits,
              "Parts of a tensor along the channels; 0: one.", at_least_zero),
        field("filter_groups", &parallel_strategy::filter_groups,
              "Groups of ranks along the filters; 0: one.", at_least_zero),
        field("filter_splits", &parallel_strategy::filter_splits,
              "Parts of a tensor along the filters; 0: one.", at_least_zero),
        field("replications", &parallel_strategy::replications, "Copies of the layer; 0: one.",
              at_least_zero),
        field("procs_per_replica", &parallel_strategy::procs_per_replica,
              "Ranks of a copy; 0: all.", at_least_zero),
        field("grid_tag", &parallel_strategy::grid_tag,
              "Part of the ranks that computes it; -1: that of its parents.", Range{.least = -1})};
  }
};

}  // namespace sections
}  // namespace lbann::compiler

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::DataLayout> =
    std::array<std::string_view, 2>{"data_parallel", "model_parallel"};

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::Device> =
    std::array<std::string_view, 3>{"default", "cpu", "gpu"};
