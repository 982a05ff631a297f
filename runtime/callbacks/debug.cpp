// A line at the begin and end of each mini-batch and each instruction: where a rank hangs or
// crashes, the last line says in what.
#include <fmt/format.h>

#include <cstdio>

#include "runtime/callbacks/factories.hpp"
#include "schemas/callbacks/execution_modes.hpp"

namespace lbann::runtime {

namespace {

class Debug final : public Callback {
 public:
  Debug(callbacks::debug fields, CallbackContext const& run)
      : fields_(std::move(fields)),
        who_(fmt::format("rank {} of trainer {}", run.executor.rank(), run.trainer)) {}

  bool on_every_rank() const override { return true; }
  bool observes_iterations() const override { return true; }
  bool observes_instructions() const override { return true; }

  void iteration_begin(Iteration const& iteration) override {
    silent_ = !callbacks::acts_in(fields_.phase, iteration.mode);
    mini_batch_ = fmt::format("{} mini-batch {} (epoch {})", name_of(iteration.mode),
                              iteration.step, iteration.epoch);
    print("begins", mini_batch_);
  }
  void iteration_end(Iteration const&) override {
    print("ends", mini_batch_);
    // Until the next one instructions are those between mini-batches.
    silent_ = !fields_.phase.empty();
    mini_batch_ = "between mini-batches";
  }
  void instruction_begin(BoundEntry const&, BoundEntry::Step const& step) override {
    print(step, "begins");
  }
  void instruction_end(BoundEntry const&, BoundEntry::Step const& step) override {
    print(step, "ends");
  }

 private:
  void print(BoundEntry::Step const& step, std::string_view what) const {
    using Kind = BoundEntry::Kind;
    if (step.kind == Kind::poll) return;
    auto const of_message = step.kind == Kind::post    ? "post of "
                            : step.kind == Kind::await ? "wait for "
                                                       : "";
    print(what, fmt::format("{}{} in {}", of_message, step.description, mini_batch_));
  }
  /// Unbuffered, so that nothing is missing after a crash.
  void print(std::string_view what, std::string const& thing) const {
    if (!silent_)
      std::fputs(fmt::format("lbann-run: {} {} {}\n", who_, what, thing).c_str(), stderr);
  }

  callbacks::debug fields_;
  std::string who_, mini_batch_ = "between mini-batches";
  bool silent_ = !fields_.phase.empty();
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::debug const& fields, CallbackContext const& run,
                                      Span) {
  return std::make_unique<Debug>(fields, run);
}

}  // namespace lbann::runtime
