// Two YAML files for each reader.
#include "compiler/experiment/probing/read_hdf5_schemas.hpp"

#include "compiler/experiment/probing/hdf5_schemas.hpp"
#include "compiler/source/files.hpp"
#include "compiler/source/read_yaml.hpp"
#include "compiler/source/text_checks.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

/// One schema; nothing if it is not here, or after a report.
std::optional<Document> read_schema(Declaration const& reader, std::string_view field,
                                    std::string const& path, DataPlaces const& places,
                                    std::vector<std::string>& files, std::vector<Source>& sources,
                                    Budget& budget, Report& report) {
  auto const place = reader.place_of(field);
  auto const found = places.find_file(path);
  files.push_back(found ? found.value() : places.last_place(path));
  if (!found) {
    report.add(diagnostics::schema_not_here, place, {path, std::string(reader.type->name)});
    return std::nullopt;
  }
  auto text = read_file(found.value(), largest_text);
  if (!text) {
    report.add(diagnostics::data_header, place,
               {path, std::string(reader.type->name), text.problem().message});
    return std::nullopt;
  }
  if (!budget.take({0, text.value().size()}, place, "schemas", report)) return std::nullopt;
  auto const file = static_cast<std::uint32_t>(sources.size());
  sources.push_back({path, std::move(text).value()});
  Source const source = sources.back();  // the table may grow
  auto document = read_yaml(source, file, budget, report);
  if (document && document->root.kind != Node::Kind::mapping) {
    report.add(
        diagnostics::data_header, place,
        {path, std::string(reader.type->name), "it is not a mapping of groups and datasets"});
    return std::nullopt;
  }
  return document;
}

}  // namespace

void read_hdf5_schemas(Experiment& experiment, Declarations const& declarations,
                       DataPlaces const& places, std::vector<Source>& sources, Budget& budget,
                       Report& report) {
  for (auto& entry : experiment.readers) {
    auto const& type = *declarations.find_reader(entry.declaration.type->name);
    if (type.schema_files == nullptr) continue;
    std::vector<Document> schemas;
    for (auto const& [field, path] : type.schema_files(entry.declaration.object.get()))
      if (auto schema = read_schema(entry.declaration, field, path, places, experiment.files,
                                    sources, budget, report))
        schemas.push_back(std::move(*schema));
    if (schemas.size() < 2) continue;
    std::vector<data_readers::hdf5_dataset> datasets;
    auto const complaints = report.diagnostics().size();
    for (auto& [dataset, span] : resolve_schemas(schemas[0], schemas[1], report)) {
      entry.datasets.push_back({to_record(dataset), span});
      datasets.push_back(std::move(dataset));
    }
    // What is not complete would be the cause of more complaints.
    if (report.diagnostics().size() > complaints) {
      entry.datasets.clear();
      continue;
    }
    if (datasets.empty())
      report.add(diagnostics::hdf5_schema, entry.declaration.place_of("experiment_schema_filename"),
                 {"the experiment schema names no dataset"});
    entry.declaration.object =
        type.with_datasets(entry.declaration.object.get(), std::move(datasets));
  }
}

}  // namespace lbann::compiler
