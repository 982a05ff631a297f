// SARIF 2.1.0 (OASIS Static Analysis Results Interchange Format).
#include <fmt/format.h>

#include <map>

#include <nlohmann/json.hpp>

#include "compiler/diagnostics/formats/writers.hpp"

namespace lbann::compiler {

namespace {

using Json = nlohmann::ordered_json;

/// A path as a reference of RFC 3986, relative to where the command ran unless it is absolute.
std::string uri_of(std::string_view path) {
  constexpr std::string_view plain = "-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (char const c : path) {
    bool const kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      plain.find(c) != plain.npos;
    uri += kept ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Json region(Place const& place) {
  return {{"startLine", place.begin.line},
          {"startColumn", place.begin.column},
          {"endLine", place.end.line},
          {"endColumn", place.end.column}};
}

Json location(Place const& place) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri_of(place.file)}}}, {"region", region(place)}}}};
}

/// The edits of one finding, as the standard's object `fix`.
Json fix(std::vector<LocatedEdit> const& edits) {
  auto replacements = Json::array();
  for (auto const& edit : edits)
    replacements.push_back(
        {{"deletedRegion", region(edit.place)}, {"insertedContent", {{"text", edit.text}}}});
  Json const change = {{"artifactLocation", {{"uri", uri_of(edits.front().place.file)}}},
                       {"replacements", replacements}};
  return {{"artifactChanges", Json::array({change})}};
}

Json rule(LocatedFinding const& finding) {
  Json rule = {{"id", finding.code}};
  if (finding.info == nullptr) return rule;
  rule["shortDescription"] = {{"text", finding.info->message}};
  if (!finding.info->help.empty()) rule["help"] = {{"text", finding.info->help}};
  return rule;
}

Json result(LocatedFinding const& finding, std::string const& file, std::size_t rule,
            std::string const& fingerprint) {
  constexpr std::array<std::string_view, 4> levels = {"error", "warning", "note", "none"};
  Json result = {{"ruleId", finding.code},
                 {"ruleIndex", rule},
                 {"kind", finding.severity == Severity::unknown ? "open" : "fail"},
                 {"level", levels[static_cast<std::size_t>(finding.severity)]},
                 {"message", {{"text", words_of(finding)}}}};
  bool const placed = finding.place && finding.place->in_file();
  result["locations"] =
      Json::array({location(placed ? *finding.place : Place{file, {}, {}, 0, 0})});
  auto related = Json::array();
  auto const relate = [&](LocatedLabel const& label) {
    if (!label.place || !label.place->in_file()) return;
    auto place = location(*label.place);
    place["message"] = {{"text", label.words}};
    related.push_back(std::move(place));
  };
  for (auto const& label : finding.labels) relate(label);
  for (auto const& cause : finding.causes) relate(cause);
  if (!related.empty()) result["relatedLocations"] = related;
  if (!finding.edits.empty()) result["fixes"] = Json::array({fix(finding.edits)});
  result["partialFingerprints"] = {{"lbann/v1", fingerprint}};
  return result;
}

}  // namespace

std::string sarif_log(std::span<CheckedExperiment const> experiments) {
  auto rules = Json::array(), results = Json::array();
  std::map<std::string_view, std::size_t> known;
  for (auto const& experiment : experiments) {
    auto const prints = fingerprints(experiment);
    for (std::size_t i = 0; i < prints.size(); ++i) {
      auto const& finding = experiment.findings[i];
      auto const [place, is_new] = known.try_emplace(finding.code, rules.size());
      if (is_new) rules.push_back(rule(finding));
      results.push_back(result(finding, experiment.file, place->second, prints[i]));
    }
  }
  Json const driver = {{"name", "lbann-compile"}, {"rules", rules}};
  Json const run = {
      {"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}};
  Json const log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({run})}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lbann::compiler
