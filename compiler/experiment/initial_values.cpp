// Headers of the files of numpy_initializer.
#include "compiler/experiment/initial_values.hpp"

#include "compiler/experiment/probe.hpp"
#include "compiler/initializers/numpy_initializer.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

void probe_initial_values(Experiment& experiment, DataPlaces const& places, Report& report) {
  using initializers::numpy_initializer;
  for (auto& entry : experiment.weights) {
    if (!entry.initializer || entry.initializer.type->name != numpy_initializer::name) continue;
    auto const& file = entry.initializer.as<numpy_initializer>().file;
    auto const found = places.find_file(file);
    if (!found) continue;  // the run will tell
    auto const header = probe_npy(*found);
    if (!header.good()) {
      report.add(diagnostics::data_header, entry.initializer.place_of("file"),
                 {file, std::string(numpy_initializer::name), header.problem().message});
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
