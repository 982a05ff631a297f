// Gradients of weights, as files of text.
#include "runtime/callbacks/dump_values.hpp"
#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

std::unique_ptr<Callback> callback_of(callbacks::dump_gradients const& fields,
                                      CallbackContext const& run, Span span) {
  return dump_values(fields.basename, fields.interval, Observable::gradient, run, span);
}

}  // namespace lbann::runtime
