// Headers of the files that initializers read.
#include "compiler/experiment/probing/initial_values.hpp"

#include "compiler/experiment/probing/data_fields.hpp"
#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/samples/npy_file.hpp"

namespace lbann::compiler {

void probe_initial_values(Experiment& experiment, InitializerTypes const& types,
                          DataPlaces const& places, Report& report) {
  for (auto& entry : experiment.weights) {
    if (!entry.initializer) continue;
    auto const& type = *types.find(entry.initializer.type->name);
    auto const file = type.file(entry.initializer.object.get());
    if (file.empty()) continue;
    auto const found = places.find_file(file);
    experiment.files.push_back(found ? found.value() : places.last_place(file));
    if (!found) continue;  // the run will tell
    auto const array = open_npy_file(found.value());
    if (array)
      entry.file_numbers = array.value().numbers;
    else
      report.add(diagnostics::data_header, entry.initializer.place_of("file"),
                 {file, std::string(type.declaration.name),
                  without_name(array.problem().message, found.value())});
  }
}

}  // namespace lbann::compiler
