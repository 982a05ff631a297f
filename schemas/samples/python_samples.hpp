// Samples that Python processes make.
#pragma once

#include "schemas/samples/python_program.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann {

/// Samples of a program, whose first process is started or taken from those of `context`, and tells
/// what there is. Others are started by `load`.
OpenedSamples open_python(Result<PythonProgram> const& program, OpenContext const& context);

}  // namespace lbann
