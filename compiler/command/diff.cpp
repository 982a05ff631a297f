// Differences as lines of paths, and a table of what they cost.
#include "compiler/command/diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>

#include "compiler/command/exit_codes.hpp"
#include "compiler/diagnostics/shortened.hpp"
#include "compiler/difference/differences.hpp"
#include "compiler/source/budget.hpp"
#include "compiler/source/read_yaml.hpp"

namespace lbann::compiler {

namespace {

/// A number of a run, of either experiment.
struct Cost {
  std::string name;
  std::array<std::int64_t, 2> amounts;
};

std::optional<std::vector<Cost>> costs_of(std::array<ComparedExperiment, 2> const& both,
                                          RunSize const& size, std::string& problem) {
  std::vector<Cost> costs = {{"parameters that are trained", {}},
                             {"parameters that are not", {}},
                             {"bytes of a rank", {}},
                             {"operations of a training step, of a rank", {}},
                             {"bytes sent in a training step, by a rank", {}}};
  for (std::size_t i = 0; i < both.size(); ++i) {
    auto const& plan = both[i].compiled.plan;
    if (!plan) return std::nullopt;
    auto const made = make_report(*plan, size);
    if (!made) {
      problem = both[i].name + ": " + made.problem().message;
      return std::nullopt;
    }
    auto const& report = made.value();
    auto const& rank = report.groups.front();
    costs[0].amounts[i] = report.model.trained;
    costs[1].amounts[i] = report.model.frozen;
    costs[2].amounts[i] = rank.memory.total;
    for (auto const& entry : rank.flops)
      if (entry.entry == "train") costs[3].amounts[i] = entry.total;
    for (auto const& entry : rank.messages)
      if (entry.entry == "train") costs[4].amounts[i] = entry.bytes;
  }
  return costs;
}

Node tree_of(std::string const& text) {
  Budget budget;
  Report report;
  auto document = read_yaml({"experiment", text}, 0, budget, report);
  return document ? std::move(document->root) : Node{};
}

/// Whether both plans are there and do the same, wherever data lies and outputs go.
std::optional<bool> have_one_meaning(std::array<ComparedExperiment, 2> const& both) {
  auto const& [a, b] = std::tie(both[0].compiled.plan, both[1].compiled.plan);
  if (!a || !b) return std::nullopt;
  return meaning_digest(*a) == meaning_digest(*b);
}

std::string text_of(std::array<ComparedExperiment, 2> const& both,
                    std::vector<Difference> const& found,
                    std::optional<std::vector<Cost>> const& costs) {
  auto const same = have_one_meaning(both);
  auto const names = both[0].name + " and " + both[1].name;
  // Random numbers depend on the order of layers, say.
  if (found.empty() && !same.value_or(true))
    return names + " say the same in another order, which makes other plans\n";
  if (found.empty()) return names + " mean the same\n";
  auto text = fmt::format("--- {}\n+++ {}\n", both[0].name, both[1].name);
  if (same.value_or(false)) text += "their plans do the same; what is written differs:\n";
  for (auto const& [path, before, after] : found) {
    auto const old = before ? shortened(*before, longest_note) : "";
    auto const now = after ? shortened(*after, longest_note) : "";
    text += before && after ? fmt::format("  {}: {} -> {}\n", path, old, now)
            : before        ? fmt::format("- {}: {}\n", path, old)
                            : fmt::format("+ {}: {}\n", path, now);
  }
  if (!costs) return text;
  text += "\n";
  for (auto const& [name, amounts] : *costs) {
    auto const [before, after] = amounts;
    auto const change =
        before == after ? ""
        : before == 0   ? "  new"
                        : fmt::format("  {:+.1f} %", 100.0 * static_cast<double>(after - before) /
                                                         static_cast<double>(before));
    text += fmt::format("{:<44}{:>18} -> {:>18}{}\n", name, digits(before), digits(after), change);
  }
  return text;
}

std::string json_of(std::array<ComparedExperiment, 2> const& both,
                    std::vector<Difference> const& found,
                    std::optional<std::vector<Cost>> const& costs) {
  using Json = nlohmann::ordered_json;
  auto const optional = [](auto const& value) { return value ? Json(*value) : Json(nullptr); };
  Json differences = Json::array(), amounts = nullptr;
  for (auto const& [path, before, after] : found)
    differences.push_back(
        {{"path", path}, {"before", optional(before)}, {"after", optional(after)}});
  if (costs)
    for (auto const& cost : *costs) amounts[cost.name] = cost.amounts;
  return Json{{"experiments", {both[0].name, both[1].name}},
              {"same_meaning", optional(have_one_meaning(both))},
              {"differences", std::move(differences)},
              {"costs", std::move(amounts)}}
             .dump(2) +
         "\n";
}

}  // namespace

void take_from_plan(Plan const& plan, CompileOptions& options) {
  options.name.clear();
  options.syntax.reset();
  for (auto const& source : plan.sources) {
    if (source.copy_of != Span::no_file || source.name == command_line_name) continue;
    auto const path = std::filesystem::path(source.name);
    if (options.name.empty()) {
      options.name = source.name;
      options.text = source.text;
      options.folder = path.parent_path().string();
    } else if (is_messages(syntax_of(source.name))) {
      options.further.push_back(source);
    } else {
      options.edited[path.lexically_normal().string()] = source.text;
    }
  }
  options.overrides.insert(options.overrides.begin(), plan.overrides.begin(), plan.overrides.end());
  std::vector<GivenDims> dims;
  for (auto const& source : plan.data)
    for (auto const& field : source.fields)
      dims.push_back(
          given_on_command_line(fmt::format("{}={}", field.name, fmt::join(field.dims, "x"))));
  options.fields.insert(options.fields.begin(), dims.begin(), dims.end());
}

int print_difference(std::array<ComparedExperiment, 2> const& both,
                     Declarations const& declarations, ReportRequest const& request) {
  auto const found =
      differences(tree_of(both[0].compiled.dump), tree_of(both[1].compiled.dump), declarations);
  std::string problem;
  auto const costs = costs_of(both, request.size, problem);
  if (!problem.empty()) return fail(wrong_command_line, problem);
  return give(request.json ? json_of(both, found, costs) : text_of(both, found, costs));
}

}  // namespace lbann::compiler
