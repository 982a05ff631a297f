// The passes from a plan's program to that of one rank, by name and in order.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "schemas/specialization/specialize.hpp"

namespace lbann {

struct Specialization;

/// One pass over the program of one rank.
struct SpecializationPass {
  std::string_view name;
  std::string_view summary;  ///< one sentence
  /// A problem says why this placement is impossible.
  Result<Success> (*run)(Specialization& specialization);
};

/// All passes in the order they run.
std::span<SpecializationPass const> specialization_passes();

/// Runs the passes up to and including `last` (empty: all), calling `after` after each. Where
/// assertions are compiled in (no NDEBUG), a pass that leaves a fault (see `verify`) aborts.
Result<Success> run_passes(
    Specialization& specialization, std::string_view last = {},
    std::function<void(SpecializationPass const&, Specialization const&)> const& after = {});

/// The program of one rank after a pass, for people to read.
struct SpecializationDump {
  std::string text;
  std::optional<std::string> fault;  ///< ours: which pass broke what must hold, and how
};

/// Runs the passes up to and including `last`, verifying after each: the text shows what the first
/// one left that breaks something. A problem says why the placement is impossible.
Result<SpecializationDump> dump_after(std::string_view last, Plan const& plan,
                                      Placement const& placement);

}  // namespace lbann
