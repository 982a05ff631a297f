// Fields of callbacks that are paths a run writes to.
#pragma once

#include <span>
#include <string_view>

namespace lbann::callbacks {

/// The fields of this callback, one that the runtime acts on, that are paths which a run writes to,
/// or beginnings of such paths: a callback with some declares `static constexpr std::string_view
/// written_paths[]`. They must stay in the folder that they are taken from (`stays_within`): what a
/// run writes elsewhere, only its command line may name.
std::span<std::string_view const> written_paths(std::string_view callback);

}  // namespace lbann::callbacks
