// Diagnostics as a report of GitLab's Code Quality, which a merge request shows at its lines.
#include <nlohmann/json.hpp>

#include "compiler/diagnostics/formats/writers.hpp"

namespace lbann::compiler {

using Json = nlohmann::ordered_json;

std::string gitlab_report(std::span<CheckedExperiment const> experiments) {
  constexpr std::array<std::string_view, 4> severities = {"critical", "minor", "info", "info"};
  auto list = Json::array();
  for (auto const& experiment : experiments) {
    auto const prints = fingerprints(experiment);
    for (std::size_t i = 0; i < prints.size(); ++i) {
      auto const& finding = experiment.findings[i];
      bool const placed = finding.place && finding.place->in_file();
      list.push_back({{"description", words_of(finding)},
                      {"check_name", finding.code},
                      {"fingerprint", prints[i]},
                      {"severity", severities[static_cast<std::size_t>(finding.severity)]},
                      {"location",
                       {{"path", placed ? finding.place->file : experiment.file},
                        {"lines", {{"begin", placed ? finding.place->begin.line : 1}}}}}});
    }
  }
  return list.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lbann::compiler
