// Makes a run check every number it computes.
#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

namespace {

class CheckNan final : public Callback {
 public:
  bool on_every_rank() const override { return true; }
  bool wants_finite_check() const override { return true; }
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::check_nan const&, CallbackContext const&, Span) {
  return std::make_unique<CheckNan>();
}

}  // namespace lbann::runtime
