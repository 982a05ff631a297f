// Compiles texts of kernels for the GPU of this process while it runs (NVRTC), if the machine has
// the library for that.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "schemas/vocabulary/result.hpp"

namespace lbann::kernels::jit {

/// A text that is being compiled, on a thread of its own, or has been.
class Function {
 public:
  virtual ~Function() = default;
  /// Launches `blocks` blocks of `threads` threads with one parameter, once all that was launched
  /// before has been done. Waits for the compiler the first time.
  virtual void launch(std::int64_t blocks, int threads, void const* parameter) = 0;
};

/// Whether there is a compiler.
bool is_available();

/// The machine code of `text` for `architecture` (`sm_90`); the problem is what the compiler says.
Result<std::vector<char>> machine_code(std::string const& text, std::string const& architecture);

/// The kernel `name` in `text`; the same for equal texts. Null where there is no compiler. A text
/// that does not compile ends the process with the compiler's message.
std::shared_ptr<Function> compile(std::string const& text, std::string const& name);

}  // namespace lbann::kernels::jit
