// From what the plan says of callbacks to observers.
#pragma once

#include "runtime/observation/observer.hpp"
#include "schemas/callbacks/check_gradients.hpp"
#include "schemas/callbacks/check_metric.hpp"
#include "schemas/callbacks/check_nan.hpp"
#include "schemas/callbacks/check_small.hpp"
#include "schemas/callbacks/dump_error_signals.hpp"
#include "schemas/callbacks/dump_gradients.hpp"
#include "schemas/callbacks/dump_outputs.hpp"
#include "schemas/callbacks/dump_weights.hpp"
#include "schemas/callbacks/load_model.hpp"
#include "schemas/callbacks/print.hpp"
#include "schemas/callbacks/print_model_description.hpp"
#include "schemas/callbacks/progress_bar.hpp"
#include "schemas/callbacks/save_model.hpp"
#include "schemas/callbacks/timer.hpp"

namespace lbann::runtime {

/// The observer of a declaration in the plan; the problem names its line.
Result<std::unique_ptr<Observer>> make_observer(Declared const& declared, RunView const& run);

// One for each declaration; a declaration without one does not compile. `span` is its place.
std::unique_ptr<Observer> observer_of(callbacks::print const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::timer const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::progress_bar const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::print_model_description const&, RunView const&,
                                      Span span);
std::unique_ptr<Observer> observer_of(callbacks::save_model const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::load_model const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::check_metric const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::check_gradients const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::dump_outputs const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::dump_gradients const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::dump_error_signals const&, RunView const&,
                                      Span span);
std::unique_ptr<Observer> observer_of(callbacks::dump_weights const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::check_nan const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::check_small const&, RunView const&, Span span);

}  // namespace lbann::runtime
