// The memory that OpenBLAS takes for itself.
#pragma once

#include <cstddef>

#include "schemas/vocabulary/result.hpp"

namespace lbann::kernels::blas {

/// Bytes of one of its buffers on x86-64 (BUFFER_SIZE, common_x86_64.h). It maps one for each of
/// its own threads before `main`, and one more for each product that is computed at the same time;
/// where it is refused one, it asks again for ever.
inline constexpr std::size_t buffer_bytes = std::size_t{128} << 20;

/// Whether this process may map so many bytes more. Async-signal-safe; takes none of them.
bool may_map(std::size_t bytes);

/// Lets the library map what products on all threads of the team need. The problem: there is no
/// room for it.
Result<Success> take_buffers();

}  // namespace lbann::kernels::blas
