// What an experiment asks of checkpoints; the training loop takes them.
#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

namespace {

class Checkpoint final : public Controller {
 public:
  explicit Checkpoint(callbacks::checkpoint const& fields)
      : policy_{fields.interval(), {fields.keep, fields.keep_every}, fields.checkpoint_dir} {}

  // All ranks write their part.
  bool on_every_rank() const override { return true; }
  std::optional<CheckpointPolicy> checkpoint_policy() const override { return policy_; }

 private:
  CheckpointPolicy policy_;
};

}  // namespace

std::unique_ptr<Controller> callback_of(callbacks::checkpoint const& fields, CallbackContext const&,
                                        Span) {
  return std::make_unique<Checkpoint>(fields);
}

}  // namespace lbann::runtime
