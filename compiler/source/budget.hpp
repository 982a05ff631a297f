// How much a document may grow by what copies parts of it.
#pragma once

#include <cstddef>
#include <string_view>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// Number of values and bytes of text.
struct Volume {
  std::size_t values = 0, bytes = 0;

  friend Volume operator+(Volume a, Volume b) { return {a.values + b.values, a.bytes + b.bytes}; }
};

/// An node with all that it holds: each node is a value; texts and keys are bytes.
Volume volume_of(Node const& node);

/// Bounds all that one experiment adds to its own text: aliases, merge keys, variables, included
/// files, repeats, calls, settings, names. Each of these asks before it copies, so that time and
/// memory are bounded by the sum, however they are nested.
class Budget {
 public:
  static constexpr std::size_t most_values = 1'000'000;
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  /// Counts what is about to be copied. False once there was too much, which is reported once, at
  /// `place`, as what `who` adds, e.g. `aliases`.
  bool take(Volume volume, Span place, std::string_view who, Report& report);

  bool exhausted() const { return exhausted_; }
  Volume taken() const { return taken_; }

 private:
  Volume taken_;
  bool exhausted_ = false;
};

}  // namespace lbann::compiler
