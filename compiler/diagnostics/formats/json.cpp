// Diagnostics as JSON lines.
#include <nlohmann/json.hpp>

#include "compiler/diagnostics/formats/writers.hpp"

namespace lbann::compiler {

namespace {

using Json = nlohmann::ordered_json;

Json place_json(std::optional<Place> const& place) {
  if (!place) return nullptr;
  return {{"file", place->file},
          {"line", place->begin.line},
          {"column", place->begin.column},
          {"end_line", place->end.line},
          {"end_column", place->end.column},
          {"begin", place->begin_byte},
          {"end", place->end_byte}};
}

Json labels_json(std::vector<LocatedLabel> const& labels) {
  auto list = Json::array();
  for (auto const& label : labels)
    list.push_back({{"words", label.words}, {"place", place_json(label.place)}});
  return list;
}

Json edits_json(std::vector<LocatedEdit> const& edits) {
  auto list = Json::array();
  for (auto const& edit : edits)
    list.push_back({{"new_text", edit.text}, {"place", place_json(edit.place)}});
  return list;
}

Json values_json(std::vector<MessageValue> const& values) {
  auto object = Json::object();
  for (auto const& value : values) object[std::string(value.name)] = value.text;
  return object;
}

}  // namespace

std::string json_lines(std::span<CheckedExperiment const> experiments) {
  std::string text;
  for (auto const& experiment : experiments)
    for (auto const& finding : experiment.findings) {
      auto const stage = finding.info != nullptr ? finding.info->stage : Stage::source;
      Json const object = {{"code", finding.code},
                           {"severity", severity_names[static_cast<std::size_t>(finding.severity)]},
                           {"stage", stage_names[static_cast<std::size_t>(stage)]},
                           {"message", finding.message},
                           {"values", values_json(finding.values)},
                           {"help", finding.help},
                           {"place", place_json(finding.place)},
                           {"labels", labels_json(finding.labels)},
                           {"notes", finding.notes},
                           {"causes", labels_json(finding.causes)},
                           {"suggestions", finding.suggestions},
                           {"edits", edits_json(finding.edits)},
                           {"times", finding.times}};
      // What an invalid text holds is replaced, not thrown over.
      text += object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
  return text;
}

}  // namespace lbann::compiler
