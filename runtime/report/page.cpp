// Markup of the page. Boxes and style sheet alone hide runs and switch scales: viewers of CI
// systems show pages without running scripts.
#include "runtime/report/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "runtime/report/chart.hpp"
#include "runtime/report/confusion_table.hpp"
#include "runtime/report/curves.hpp"
#include "runtime/report/markup.hpp"

namespace lbann::runtime {

namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1240px; padding: 1rem 1.5rem 4rem; }
h1 { font-size: 1.5rem; margin: .5rem 0 1rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .8rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
h3 { font-size: 1rem; margin: 0 0 .2rem; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; }
caption { caption-side: bottom; font-size: .85rem; opacity: .7; text-align: left; padding-top: .3rem; }
.scroll { overflow-x: auto; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 1.5rem; }
.chart p, .note { margin: 0; font-size: .85rem; opacity: .7; }
svg { width: 100%; height: auto; overflow: visible; }
svg text { font-size: 12px; fill: currentColor; opacity: .8; }
svg .grid { stroke: var(--line); fill: none; }
.controls label { margin-right: 1.2rem; cursor: pointer; white-space: nowrap; }
.swatch { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
input { vertical-align: middle; }
#log:checked ~ main svg.linear, #log:not(:checked) ~ main svg.log { display: none; }
.matrices { display: flex; flex-wrap: wrap; gap: 1.5rem 2.5rem; }
.confusion { font-size: .8rem; }
.confusion td, .confusion th { text-align: right; padding: .1rem .3rem; min-width: 1.9rem; }
figure { margin: 0 0 .3rem; display: flex; align-items: center; gap: 1rem; }
figcaption { font-size: .85rem; opacity: .7; flex: 0 0 9rem; overflow-wrap: anywhere; }
img { image-rendering: pixelated; width: 100%; max-width: 640px; min-width: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); padding: .6rem; font-size: .8rem; margin: .3rem 0; }
details { margin: .4rem 0; } summary { cursor: pointer; }
)";

std::string swatch(std::size_t run) {
  return fmt::format("<span class=\"swatch\" style=\"background:{}\"></span>", color_of(run));
}

/// The boxes that show and hide runs; they stand before `main`, where the style sheet finds them.
std::string controls(std::vector<RunHistory> const& runs) {
  std::string boxes, labels, rules;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    boxes += fmt::format(
        "<input type=\"checkbox\" id=\"run{0}\" checked=\"checked\"/>"
        "<label for=\"run{0}\">{1}{2}</label> ",
        i, swatch(i), escaped(runs[i].name));
    rules += fmt::format("#run{0}:not(:checked) ~ main .run{0} {{ display: none; }}\n", i);
  }
  return fmt::format(
      "<style>{}</style>\n{}<input type=\"checkbox\" id=\"log\"/><label for=\"log\">logarithmic "
      "axes</label>\n",
      rules, boxes);
}

PassLine const* last_of(RunHistory const& run, ExecutionMode mode) {
  PassLine const* last = nullptr;
  for (auto const& pass : run.passes)
    if (pass.mode == mode) last = &pass;
  return last;
}

PassLine const* best_validation(RunHistory const& run) {
  PassLine const* best = nullptr;
  for (auto const& pass : run.passes)
    if (pass.mode == ExecutionMode::validation && std::isfinite(pass.objective) &&
        (best == nullptr || pass.objective < best->objective))
      best = &pass;
  return best;
}

/// Objective and metrics of a pass, one below the other.
std::string results(RunHistory const& run, PassLine const* pass) {
  if (pass == nullptr) return "–";
  auto text = short_number(pass->objective);
  for (auto const& [name, value] : pass->metrics) {
    auto const unit = run.units.find(name);
    text += fmt::format("<br/>{} {}{}", escaped(name), short_number(value),
                        unit == run.units.end() ? "" : escaped(unit->second));
  }
  return text;
}

std::string place_of(RunHistory const& run) {
  if (run.starts.empty()) return "–";
  auto const& start = run.starts.back();
  constexpr std::size_t few = 4;
  auto const hosts = start.hosts.size() <= few
                         ? fmt::format("{}", fmt::join(start.hosts, ", "))
                         : fmt::format("{} nodes, {} to {}", start.hosts.size(),
                                       start.hosts.front(), start.hosts.back());
  return escaped(fmt::format("{} {} × {} {} on {}, {}", start.ranks,
                             start.ranks == 1 ? "rank" : "ranks", start.threads,
                             start.threads == 1 ? "thread" : "threads", hosts, start.device));
}

std::string overview(std::vector<RunHistory> const& runs) {
  std::string rows;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto const& run = runs[i];
    double seconds = 0, waited = 0;
    for (auto const& pass : run.passes) {
      seconds += pass.seconds;
      waited += pass.waited;
    }
    auto const* const best = best_validation(run);
    auto const* const trained = last_of(run, ExecutionMode::training);
    rows += fmt::format(
        "<tr class=\"run{}\"><td>{}{}</td><td>{}<br/>{} parameters</td><td>{}<br/>{}</td>"
        "<td class=\"number\">{}{}</td><td>{}</td><td>{}{}</td><td>{}</td>"
        "<td class=\"number\">{:.3g} s<br/>{:.1f} % waiting</td></tr>\n",
        i, swatch(i), escaped(run.name), run.model.empty() ? "–" : escaped(run.model),
        run.parameters, run.starts.empty() ? "–" : escaped(run.starts.front().time), place_of(run),
        run.epochs(), trained != nullptr && !trained->complete ? ", the last one cut short" : "",
        results(run, trained), results(run, best),
        best == nullptr ? "" : fmt::format("<br/>after {} epochs", best->epoch + 1),
        results(run, last_of(run, ExecutionMode::testing)), seconds,
        seconds > 0 ? 100 * waited / seconds : 0.0);
  }
  return "<div class=\"scroll\"><table><thead><tr><th>run</th><th>model</th><th>started, "
         "where</th><th class=\"number\">epochs</th><th>training</th><th>best "
         "validation</th><th>test</th><th class=\"number\">time</th></tr></thead>\n<tbody>" +
         rows + "</tbody></table></div>\n";
}

std::string charts(std::vector<RunHistory> const& runs) {
  std::string text = "<div class=\"charts\">\n";
  for (auto const& chart : curves_of(runs))
    text += fmt::format("<section class=\"chart\"><h3>{}</h3><p>{}</p>{}{}</section>\n",
                        escaped(chart.title), escaped(chart.note), svg_of(chart, AxisScale::linear),
                        svg_of(chart, AxisScale::logarithmic));
  return text + "</div>\n";
}

std::string when(FoundFile const& file) {
  return file.epochs == 0 ? "test" : fmt::format("after {} epochs", file.epochs);
}

Result<std::string> confusion_matrices(RunHistory const& run) {
  std::string text;
  for (auto const& file : run.confusion_matrices) {
    auto const matrix = read_confusion_matrix(file.path);
    if (!matrix) return matrix.problem();
    text += fmt::format("<section class=\"scroll\"><h3>{}{}, {:.4g} % right</h3>{}</section>\n",
                        escaped(file.title), file.epochs == 0 ? "" : ", " + when(file),
                        100 * matrix.value().accuracy(), table_of(matrix.value()));
  }
  return text.empty() ? text : "<div class=\"matrices\">\n" + text + "</div>\n";
}

Result<std::string> pictures(RunHistory const& run) {
  std::string text, before;
  for (auto const& image : run.images) {
    std::ifstream file(image.path, std::ios::binary);
    std::string const bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file.good() || bytes.empty()) return Problem{image.path.string() + ": cannot be read"};
    if (auto now = when(image); now != before) {
      text += fmt::format("<h3>{}</h3>\n", now);
      before = std::move(now);
    }
    text += fmt::format(
        "<figure><figcaption>{0}</figcaption><img alt=\"{0}\" src=\"data:image/{1};base64,{2}\"/>"
        "</figure>\n",
        escaped(image.title), image.path.extension() == ".png" ? "png" : "jpeg", base64(bytes));
  }
  return text;
}

/// A part of the page for each run, under one heading; nothing if no run has anything.
Result<std::string> of_each_run(std::vector<RunHistory> const& runs, std::string_view heading,
                                Result<std::string> (*part)(RunHistory const&)) {
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto const made = part(runs[i]);
    if (!made) return made.problem();
    if (made.value().empty()) continue;
    text += fmt::format("<section class=\"run{}\"><p>{}{}</p>\n{}</section>\n", i, swatch(i),
                        escaped(runs[i].name), made.value());
  }
  return text.empty() ? text : fmt::format("<h2>{}</h2>\n{}", heading, text);
}

std::string provenance(std::vector<RunHistory> const& runs) {
  std::string text = "<h2>What ran where</h2>\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto const& run = runs[i];
    text += fmt::format("<details class=\"run{}\"><summary>{}{}</summary>\n<pre>folder: {}</pre>\n",
                        i, swatch(i), escaped(run.name), escaped(run.folder.string()));
    if (!run.plan_problem.empty())
      text += fmt::format("<p class=\"note\">{}</p>\n", escaped(run.plan_problem));
    for (auto const& start : run.starts)
      text += fmt::format(
          "<pre>{}{}\n{}\nin {}\non {}\n{}\n{}</pre>\n", escaped(start.time),
          start.resumed ? ", resumed" : "",
          escaped(fmt::format("{}", fmt::join(start.command, " "))), escaped(start.directory),
          escaped(fmt::format("{}", fmt::join(start.hosts, ", "))), escaped(start.program),
          escaped(fmt::format("{}", fmt::join(start.libraries, "\n"))));
    if (run.starts.empty()) text += "<p class=\"note\">The run has no provenance.jsonl.</p>\n";
    text += "</details>\n";
  }
  return text;
}

std::string title_of(std::vector<RunHistory> const& runs) {
  if (runs.size() > 1) return fmt::format("{} runs", runs.size());
  return runs.front().model.empty() ? runs.front().name : runs.front().model;
}

}  // namespace

Result<std::string> page_of(std::vector<RunHistory> const& runs) {
  auto const matrices = of_each_run(runs, "Confusion matrices", confusion_matrices);
  if (!matrices) return matrices.problem();
  auto const images = of_each_run(runs, "Images", pictures);
  if (!images) return images.problem();
  auto const title = escaped(title_of(runs));
  return fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body class=\"controls\">\n<h1>{0}</h1>\n"
      "{2}<main>\n<h2>Overview</h2>\n{3}<h2>Curves</h2>\n{4}{5}{6}{7}</main>\n</body>\n</html>\n",
      title, style, controls(runs), overview(runs), charts(runs), images.value(), matrices.value(),
      provenance(runs));
}

}  // namespace lbann::runtime
