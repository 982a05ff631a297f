// Reads the text of an experiment as `compile` does, up to the experiment.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "compiler/diagnostics/render.hpp"
#include "compiler/experiment/expanding/expand.hpp"
#include "compiler/experiment/expanding/include.hpp"
#include "compiler/experiment/expanding/overrides.hpp"
#include "compiler/experiment/probing/data_fields.hpp"
#include "compiler/experiment/probing/read_data_set_metadata.hpp"
#include "compiler/experiment/probing/read_hdf5_schemas.hpp"
#include "compiler/experiment/reading/read_experiment.hpp"
#include "compiler/source/read_yaml.hpp"

namespace lbann::compiler {

struct Reading {
  std::vector<Source> sources;
  Budget budget;
  Report report;
  Experiment experiment;

  explicit Reading(std::string text, std::vector<std::string> const& overrides = {},
                   std::vector<std::string> const& fields = {}, OpenContext const& context = {}) {
    sources.push_back({"e.yaml", std::move(text)});
    auto document = read_yaml(Source(sources.front()), 0, budget, report);
    if (!document) return;
    include_files(*document, context.places.beside, {}, sources, budget, report);
    apply_overrides(*document, overrides, sources, budget, report);
    if (!check_sections(*document, report)) return;
    auto const errors_of_sections = report.errors();
    expand(*document, declarations().layers, sources, budget, report);
    if (report.errors() > errors_of_sections) return;
    experiment = read_experiment(*document, declarations(), report);
    read_hdf5_schemas(experiment, declarations(), context.places, sources, budget, report);
    read_data_set_metadata(experiment, declarations(), context, report);
    std::vector<GivenDims> dims;
    for (auto const& field : fields) dims.push_back(given_on_command_line(field));
    complete_data_fields(experiment, declarations(), dims, context, sources, report);
  }

  static Declarations const& declarations() {
    static Declarations const instance;
    return instance;
  }

  /// `code@text` of every diagnostic, in order of places.
  std::vector<std::string> codes() const {
    std::vector<std::string> list;
    for (auto const* diagnostic : report.sorted()) {
      auto const span = diagnostic->span;
      auto const text =
          written_source(sources, span.file).text.substr(span.begin, span.end - span.begin);
      list.push_back(std::string(diagnostic->info->code) + "@" + text);
    }
    return list;
  }
  std::string rendered() const { return render(report, sources, false); }
};

}  // namespace lbann::compiler

template <>
struct doctest::StringMaker<std::vector<std::string>> {
  static String convert(std::vector<std::string> const& list) {
    std::string text;
    for (auto const& element : list) text += "\n    " + element;
    return text.c_str();
  }
};
