// What the module of a python reader says of its samples.
#pragma once

#include "compiler/experiment/data_places.hpp"
#include "compiler/experiment/reader_files.hpp"
#include "schemas/data_readers/python.hpp"

namespace lbann::compiler {

/// Runs the functions that tell number and dims of samples, in a process of their own. A problem's
/// first line says what is wrong; a traceback follows.
Result<DataFacts> probe_python(data_readers::python const& reader, DataPlaces const& places);

}  // namespace lbann::compiler
