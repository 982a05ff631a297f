// What the Python processes of a reader run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schemas/data_readers/list.hpp"
#include "schemas/samples/data_places.hpp"

namespace lbann {

struct PythonProgram {
  std::vector<std::string> words;   ///< that the program is told, see python_worker.py
  std::string source;               ///< whose code it is, e.g. "module `spirals`"
  std::string import;               ///< what it does first, e.g. "imported `spirals`"
  std::string before, behind;       ///< of a sample's number, as messages name a sample
  std::vector<std::string> fields;  ///< of a sample; empty: the program tells
  std::int64_t num_workers = 1;
  double sample_timeout = 0, start_timeout = 0;  ///< seconds

  PythonProgram(data_readers::python_processes const& reader)
      : num_workers(reader.num_workers),
        sample_timeout(reader.sample_timeout),
        start_timeout(reader.start_timeout) {}
  std::string sample(std::string const& number) const { return before + number + behind; }
  friend bool operator==(PythonProgram const&, PythonProgram const&) = default;
};

/// The program of a reader, whose files are looked for in `places`; each is defined beside the
/// reader's samples.
Result<PythonProgram> python_program(data_readers::python const& reader, DataPlaces const& places);
Result<PythonProgram> python_program(data_readers::python_dataset const& reader,
                                     DataPlaces const& places);

}  // namespace lbann
