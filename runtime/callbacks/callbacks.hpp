// From what the plan says of callbacks to observers.
#pragma once

#include "runtime/observation/observer.hpp"
#include "schemas/callbacks/list.hpp"

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
std::unique_ptr<Observer> observer_of(callbacks::confusion_matrix const&, RunView const&,
                                      Span span);
std::unique_ptr<Observer> observer_of(callbacks::check_small const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::check_dataset const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::init const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::dump_mb_indices const&, RunView const&, Span span);
std::unique_ptr<Observer> observer_of(callbacks::dump_model_graph const&, RunView const&,
                                      Span span);
std::unique_ptr<Observer> observer_of(callbacks::gpu_memory_usage const&, RunView const&, Span);
std::unique_ptr<Observer> observer_of(callbacks::memory_profiler const&, RunView const&, Span);

std::unique_ptr<Observer> observer_of(callbacks::step_learning_rate const&, RunView const&, Span);
std::unique_ptr<Observer> observer_of(callbacks::set_learning_rate const&, RunView const&, Span);
std::unique_ptr<Observer> observer_of(callbacks::adaptive_learning_rate const&, RunView const&,
                                      Span);
std::unique_ptr<Observer> observer_of(callbacks::drop_fixed_learning_rate const&, RunView const&,
                                      Span);
std::unique_ptr<Observer> observer_of(callbacks::linear_growth_learning_rate const&, RunView const&,
                                      Span);
std::unique_ptr<Observer> observer_of(callbacks::poly_learning_rate const&, RunView const&, Span);
std::unique_ptr<Observer> observer_of(callbacks::cosine_decay_learning_rate const&, RunView const&,
                                      Span);
std::unique_ptr<Observer> observer_of(callbacks::perturb_learning_rate const&, RunView const&,
                                      Span);
std::unique_ptr<Observer> observer_of(callbacks::early_stopping const&, RunView const&, Span);
std::unique_ptr<Observer> observer_of(callbacks::set_weights_value const&, RunView const&, Span);
std::unique_ptr<Observer> observer_of(callbacks::perturb_weights const&, RunView const&, Span);
std::unique_ptr<Observer> observer_of(callbacks::replace_weights const&, RunView const&, Span);
std::unique_ptr<Observer> observer_of(callbacks::compute_model_size const&, RunView const&, Span);

/// What `mini_batches` of the plan's training say of learning rates.
std::unique_ptr<Observer> observer_of_mini_batches(RunView const&);

}  // namespace lbann::runtime
