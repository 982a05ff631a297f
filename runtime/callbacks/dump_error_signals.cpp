// Gradients of outputs, as files of text.
#include "runtime/callbacks/dump_values.hpp"
#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

std::unique_ptr<Callback> callback_of(callbacks::dump_error_signals const& fields,
                                      CallbackContext const& run, Span span) {
  return dump_values(fields.basename, 1, Observable::error_signal, run, span);
}

}  // namespace lbann::runtime
