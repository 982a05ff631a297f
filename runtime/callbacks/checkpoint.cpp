// What an experiment asks of checkpoints; the training loop writes them.
#include "runtime/callbacks/checkpoint_policy.hpp"
#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

CheckpointPolicy checkpoint_policy(Plan const& plan) {
  callbacks::checkpoint fields;
  for (auto const& declared : plan.callbacks)
    if (auto const own = from_record<callbacks::checkpoint>(declared.record)) fields = *own;
  return {fields.interval(),
          {fields.keep, fields.keep_every},
          fields.on_failure,
          fields.checkpoint_dir};
}

std::unique_ptr<Controller> callback_of(callbacks::checkpoint const&, CallbackContext const&,
                                        Span) {
  return std::make_unique<Controller>();
}

}  // namespace lbann::runtime
