// Headers of the files that initializers read.
#include "compiler/experiment/initial_values.hpp"

#include "compiler/experiment/probe.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

void probe_initial_values(Experiment& experiment, InitializerTypes const& types,
                          DataPlaces const& places, Report& report) {
  for (auto& entry : experiment.weights) {
    if (!entry.initializer) continue;
    auto const& type = *types.find(entry.initializer.type->name);
    auto const file = type.file(entry.initializer.object.get());
    if (file.empty()) continue;
    auto const found = places.find_file(file);
    if (!found) continue;  // the run will tell
    auto const header = probe_npy(*found);
    if (!header.good()) {
      report.add(diagnostics::data_header, entry.initializer.place_of("file"),
                 {file, std::string(type.declaration.name), header.problem().message});
      continue;
    }
    // `probe_npy` has seen that one sample can be counted.
    std::int64_t numbers = header.value().samples;
    for (auto const size : header.value().dims)
      if (__builtin_mul_overflow(numbers, size, &numbers)) numbers = -1;
    entry.file_numbers = numbers;
  }
}

}  // namespace lbann::compiler
