// Endings of default names and what PyTorch calls the same parameters.
#include "runtime/checkpoints/torch_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lbann::runtime {

namespace {

using Ending = std::pair<std::string_view, std::string_view>;

/// The first that fits counts: longer ones stand before those that they end with.
constexpr std::array<Ending, 8> endings = {{{"_linearity_weights", ".weight"},
                                            {"_bias_weights", ".bias"},
                                            {"_weights", ".weight"},
                                            {"_kernel", ".weight"},
                                            {"_scale", ".weight"},
                                            {"_bias", ".bias"},
                                            {"_running_mean", ".running_mean"},
                                            {"_running_variance", ".running_var"}}};

/// Those of stacked recurrent layers, which a number follows.
constexpr std::array<Ending, 4> stacked_endings = {{{"_ih_matrix_l", ".weight_ih_l"},
                                                    {"_hh_matrix_l", ".weight_hh_l"},
                                                    {"_ih_bias_l", ".bias_ih_l"},
                                                    {"_hh_bias_l", ".bias_hh_l"}}};

template <std::size_t n>
std::optional<std::string> replaced(std::string_view name, std::array<Ending, n> const& table) {
  for (auto const& [ours, torch] : table)
    if (name.size() > ours.size() && name.ends_with(ours))
      return std::string(name.substr(0, name.size() - ours.size())) + std::string(torch);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> torch_name(std::string_view weights) {
  auto const digits = weights.find_last_not_of("0123456789") + 1;
  if (digits == weights.size()) return replaced(weights, endings);
  auto stacked = replaced(weights.substr(0, digits), stacked_endings);
  if (stacked) *stacked += weights.substr(digits);
  return stacked;
}

}  // namespace lbann::runtime
