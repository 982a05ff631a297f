// Gradients of outputs, as files of text.
#include "runtime/callbacks/callbacks.hpp"
#include "runtime/callbacks/dump_values.hpp"

namespace lbann::runtime {

std::unique_ptr<Observer> observer_of(callbacks::dump_error_signals const& fields,
                                      RunView const& run, Span span) {
  return dump_values(fields.basename, 1, Observable::error_signal, run, span);
}

}  // namespace lbann::runtime
