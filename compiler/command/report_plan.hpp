// What a plan will hold, compute and send, as the command line asks for it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/reports/render.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann::compiler {

/// What the command line asks to be told of a run.
struct ReportRequest {
  std::vector<ReportKind> kinds;  ///< none: no report
  RunSize size;
  Machine machine;         ///< that seconds are told for
  std::int64_t rank = 0;   ///< of a trainer, for `dump_after`
  std::string dump_after;  ///< the pass on each rank whose outcome is printed; empty: none
  bool json = false;
  std::int64_t fits = 0;  ///< bytes of a rank that the run must fit into; 0: not asked
  std::string replay;     ///< folder for traces that SimGrid replays; empty: not asked

  bool is_report() const { return !kinds.empty() || fits > 0 || !replay.empty(); }
  bool asks() const { return is_report() || !dump_after.empty(); }
};

/// Makes the plan of an experiment with a change; none where that cannot be.
using Variant = std::function<std::optional<Plan>(std::string const& override)>;

/// Prints what is asked of a plan; gives the exit code. `variant`: tried where the run does not
/// fit.
int print_reports(Plan const& plan, ReportRequest const& request, Variant const& variant);

inline std::span<std::uint8_t const> bytes_of(std::string_view text) {
  return {reinterpret_cast<std::uint8_t const*>(text.data()), text.size()};
}

/// A plan instead of an experiment: there is nothing left to compile, only to tell.
int report_plan(std::string const& path, std::string_view bytes, ReportRequest const& request);

}  // namespace lbann::compiler
