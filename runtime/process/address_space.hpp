// Checks that libraries can map the memory they need before `main`.
#pragma once

namespace lbann::runtime {

/// Ends the process with a message if it may not map what OpenBLAS maps when it is loaded, which
/// would retry for ever: a buffer for each thread, of which there are as many as processors, or
/// OMP_NUM_THREADS if that is less. For `.preinit_array`, which runs before the constructors of
/// libraries.
void check_address_space(int count, char** arguments, char** environment);

}  // namespace lbann::runtime
