// What the samples of a data reader are for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lbann {

/// LBANN's `role` of a reader: the phase of a run that its samples feed.
enum class DataRole : std::uint8_t { train, validate, test, tournament };

/// Names of the roles, in the order of the enumerators.
inline constexpr std::array<std::string_view, 4> data_role_names = {"train", "validate", "test",
                                                                    "tournament"};

/// The name of a role.
inline std::string name_of(DataRole role) {
  return std::string(data_role_names[static_cast<std::size_t>(role)]);
}

}  // namespace lbann
