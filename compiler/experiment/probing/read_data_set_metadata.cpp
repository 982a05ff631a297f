// The datasets of each reader; the metadata are one for all.
#include "compiler/experiment/probing/read_data_set_metadata.hpp"

#include "compiler/experiment/probing/jag_datasets.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/samples/hdf5_records.hpp"

namespace lbann::compiler {

void read_data_set_metadata(Experiment& experiment, Declarations const& declarations,
                            OpenContext const& context, Report& report) {
  bool taken = false;
  for (auto& entry : experiment.readers) {
    auto const& type = *declarations.find_reader(entry.declaration.type->name);
    if (!type.takes_metadata) continue;
    taken = true;
    auto const* reader = entry.declaration.object.get();
    if (!experiment.data_set_metadata) {
      report.add(diagnostics::metadata_not_here, entry.declaration.type_span,
                 {std::string(type.declaration.name)});
      return;
    }
    auto const sources = type.sources(reader, context);
    auto const datasets = jag_datasets(
        experiment.data_set_metadata,
        [&](std::string const& group) {
          return keys_of_first_sample(sources.front(), context.places, group);
        },
        report);
    if (datasets.empty()) return;  // told once, not for each reader
    std::vector<data_readers::hdf5_dataset> told;
    for (auto const& [dataset, span] : datasets) {
      entry.datasets.push_back({to_record(dataset), span});
      told.push_back(dataset);
    }
    entry.declaration.object = type.with_datasets(reader, std::move(told));
  }
  if (experiment.data_set_metadata && !taken)
    report.add(diagnostics::no_effect, experiment.data_set_metadata.type_span,
               {std::string(experiment.data_set_metadata.type->name), "no data reader takes it"});
}

}  // namespace lbann::compiler
