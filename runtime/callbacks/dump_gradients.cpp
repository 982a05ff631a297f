// Gradients of weights, as files of text.
#include "runtime/callbacks/callbacks.hpp"
#include "runtime/callbacks/dump_values.hpp"

namespace lbann::runtime {

std::unique_ptr<Observer> observer_of(callbacks::dump_gradients const& fields, RunView const& run,
                                      Span span) {
  return dump_values(fields.basename, fields.interval, Observable::gradient, run, span);
}

}  // namespace lbann::runtime
