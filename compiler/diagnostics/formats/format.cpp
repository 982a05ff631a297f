// The writer of each format.
#include "compiler/diagnostics/formats/format.hpp"

#include <fmt/format.h>

#include <map>

#include "compiler/diagnostics/formats/writers.hpp"
#include "compiler/lowering/stable_hash.hpp"

namespace lbann::compiler {

std::string formatted(Format format, std::span<CheckedExperiment const> experiments) {
  switch (format) {
    case Format::human:
      break;
    case Format::json:
      return json_lines(experiments);
    case Format::github:
      return github_commands(experiments);
    case Format::sarif:
      return sarif_log(experiments);
    case Format::gitlab:
      return gitlab_report(experiments);
    case Format::junit:
      return junit_report(experiments);
  }
  return {};
}

std::vector<std::string> fingerprints(CheckedExperiment const& experiment) {
  std::map<std::string, int> met;
  std::vector<std::string> prints;
  for (auto const& finding : experiment.findings) {
    auto key = std::string(finding.code) + '\n' + experiment.file + '\n' +
               (finding.place ? finding.place->file : "") + '\n' + finding.message;
    key += '\n' + std::to_string(met[key]++);
    prints.push_back(fmt::format("{:016x}", static_cast<std::uint64_t>(stable_hash(key))));
  }
  return prints;
}

}  // namespace lbann::compiler
