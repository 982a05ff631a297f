// Whether there is room for what libraries map before `main`.
#pragma once

namespace lbann::runtime {

/// Ends the process with a message if it may not map what OpenBLAS maps when it is loaded, which
/// would try for ever: it takes a buffer for each of as many threads as the machine has processors,
/// or as OMP_NUM_THREADS says if that is less. For `.preinit_array`, which runs before libraries
/// do.
void check_address_space(int count, char** arguments, char** environment);

}  // namespace lbann::runtime
