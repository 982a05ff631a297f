// The pass `fuse_maps`: fusion of the whole program.
#include "compiler/passes/program_passes.hpp"
#include "schemas/program/fuse.hpp"

namespace lbann::compiler {

void fuse_maps(Program& program) { fuse(program); }

}  // namespace lbann::compiler
