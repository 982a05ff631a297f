// Reports, dumps and fits of a plan, printed.
#include "compiler/command/report_plan.hpp"

#include "compiler/command/exit_codes.hpp"
#include "compiler/reports/render.hpp"
#include "compiler/reports/replay_files.hpp"
#include "schemas/plan/header.hpp"
#include "schemas/reports/fits.hpp"
#include "schemas/specialization/pipeline.hpp"
#include "schemas/vocabulary/bytes_text.hpp"

namespace lbann::compiler {

namespace {

/// The program of one rank after a pass of its specialization.
int print_specialization(Plan const& plan, ReportRequest const& request) {
  auto const placement = placement_of(plan, request.size, request.rank);
  if (!placement) return fail(wrong_command_line, placement.problem().message);
  auto const dump = dump_after(request.dump_after, plan, placement.value());
  if (!dump) return fail(wrong_command_line, dump.problem().message);
  auto const& [text, fault] = dump.value();
  return fault ? fail(internal_error, *fault + "\n" + text) : give(text);
}

/// Adds the changes of an experiment with which it fits: the fewest micro-batches, activations
/// computed again, updates and weights in parts.
void try_changes(Plan const& plan, ReportRequest const& request, Variant const& variant,
                 Fit& found) {
  auto const fits = [&](std::string const& override, std::string words) {
    auto const changed = variant(override);
    if (!changed) return false;
    auto const other = fit(*changed, request.size, found.limit);
    if (!other || !other.value().fits()) return false;
    found.edits.push_back({std::move(words), other.value().needed});
    return true;
  };
  for (auto count = plan.accumulate + 1; count <= plan.mini_batch_size; ++count) {
    auto const text = std::to_string(count);
    if (plan.mini_batch_size % count == 0 &&
        fits("trainer.accumulate=" + text, "trainer: {accumulate: " + text + "}"))
      break;
  }
  if (!fits("trainer.recompute=selective", "trainer: {recompute: selective}"))
    fits("trainer.recompute=full", "trainer: {recompute: full}");
  fits("trainer.shard_updates=true", "trainer: {shard_updates: true}");
  fits("model.sharded=true", "model: {sharded: true}");
}

/// Says whether the run fits; exit code 1 if it does not.
int print_fit(Plan const& plan, ReportRequest const& request, Variant const& variant) {
  auto found = fit(plan, request.size, request.fits);
  if (!found) return fail(wrong_command_line, found.problem().message);
  auto& [needed, limit, items, edits] = found.value();
  if (!found.value().fits()) try_changes(plan, request, variant, found.value());
  if (found.value().fits())
    return give("fits: a rank needs " + bytes_text(needed) + " of " + bytes_text(limit) + "\n");
  auto text = "does not fit: a rank needs " + bytes_text(needed) + ", it has " + bytes_text(limit) +
              "\nlargest:\n";
  auto const line = [](std::string const& words, std::int64_t bytes) {
    return "  " + padded(words + ' ', 60) + bytes_text(bytes) + "\n";
  };
  for (auto const& item : items) text += line(item.name, item.bytes);
  text += edits.empty() ? "no mesh, mini-batch or number of ranks fits\n" : "each of these fits:\n";
  for (auto const& edit : edits) text += line(edit.words, edit.bytes);
  auto const code = give(text);
  return code == good ? wrong_experiment : code;
}

int print_report(Plan const& plan, ReportRequest const& request, Variant const& variant) {
  if (!request.replay.empty()) {
    auto const placed = placement_of(plan, request.size, 0);
    if (!placed) return fail(wrong_command_line, placed.problem().message);
    if (auto const program = specialize(plan, placed.value()); !program)
      return fail(wrong_command_line, program.problem().message);
    auto const written = write_replay(plan, request.size, request.machine, request.replay);
    if (!written) return fail(file_problem, written.problem().message);
    if (request.kinds.empty() && request.fits == 0) return good;
  }
  if (request.fits > 0) return print_fit(plan, request, variant);
  auto const report = make_report(plan, request.size, request.machine);
  if (!report) return fail(wrong_command_line, report.problem().message);
  return give(request.json ? report_json(report.value(), request.kinds)
                           : report_text(report.value(), request.kinds));
}

}  // namespace

int print_reports(Plan const& plan, ReportRequest const& request, Variant const& variant) {
  if (!request.dump_after.empty())
    if (auto const code = print_specialization(plan, request); code != good) return code;
  return request.is_report() ? print_report(plan, request, variant) : good;
}

int report_plan(std::string const& path, std::string_view bytes, ReportRequest const& request) {
  if (!request.asks())
    return fail(wrong_command_line,
                path +
                    " is a plan already; --report tells of it, and --dump-after of a pass "
                    "on each rank shows it");
  auto const plan = decode(bytes_of(bytes));
  if (!plan) return fail(file_problem, path + ": " + plan.problem().message);
  return print_reports(plan.value(), request,
                       [](std::string const&) { return std::optional<Plan>(); });
}

}  // namespace lbann::compiler
