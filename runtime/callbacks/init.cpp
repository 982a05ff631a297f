// Checks that all ranks of a trainer begin training with the same weights.
#include "runtime/callbacks/factories.hpp"
#include "runtime/communication/agreement.hpp"
#include "schemas/plan/digest.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class CheckInit final : public Callback {
 public:
  CheckInit(CallbackContext const& run, Span span) : run_(run), span_(span) {}

  bool on_every_rank() const override { return true; }
  bool failed_check() const override { return failed_; }

  Result<Success> train_begin() override {
    if (run_.ranks == nullptr) return Success{};
    Result<Success> result = Success{};
    // Comparisons are collective: they go on after one has failed.
    for (auto const& weights : run_.plan.weights) {
      auto const view = run_.executor.read(weights.tensor, 0);
      // Of split weights each rank has values of its own.
      if (view.data == nullptr || run_.executor.program().is_split(weights.tensor)) continue;
      auto const* const bytes = static_cast<std::uint8_t const*>(view.data);
      auto const count = static_cast<std::size_t>(view.elements()) * bytes_of(view.type);
      auto same = same_everywhere(*run_.ranks, digest({bytes, bytes + count}),
                                  "begins with other weights `" + weights.name + "`",
                                  "see what sets them: a file that is not the same everywhere?");
      if (same || !result) continue;
      failed_ = true;
      result = same.problem().message.empty()
                   ? same
                   : Problem{located(run_.plan.sources, span_, same.problem().message)};
    }
    return result;
  }

 private:
  CallbackContext const& run_;
  Span span_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::init const&, CallbackContext const& run,
                                      Span span) {
  return std::make_unique<CheckInit>(run, span);
}

}  // namespace lbann::runtime
