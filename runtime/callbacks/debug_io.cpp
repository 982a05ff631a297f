// Lines about what is read: passes, and the samples of mini-batches.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "runtime/callbacks/factories.hpp"
#include "schemas/callbacks/execution_modes.hpp"

namespace lbann::runtime {

namespace {

class DebugIo final : public Callback {
 public:
  DebugIo(callbacks::debug_io fields, CallbackContext const& run)
      : fields_(std::move(fields)), run_(run) {}

  bool on_every_rank() const override { return true; }
  bool observes_iterations() const override { return true; }

  void iteration_begin(Iteration const& iteration) override {
    if (!acts_in(iteration)) return;
    auto const size = run_.sizes.of(iteration.mode, iteration.epoch);
    auto const where = fmt::format("{} of epoch {}", name_of(iteration.mode), iteration.epoch);
    if (iteration.mode != mode_ || iteration.epoch != epoch_)
      print(fmt::format("begins {}: {} samples in {} mini-batches of {}, the last of {}", where,
                        size.samples, size.steps(), size.samples_of(0),
                        size.samples_of(size.steps() - 1)));
    mode_ = iteration.mode;
    epoch_ = iteration.epoch;
    if (fields_.lvl > 0) print(fmt::format("reads mini-batch {} of {}", iteration.step, where));
  }

  void iteration_end(Iteration const& iteration) override {
    if (!acts_in(iteration) || fields_.lvl == 0) return;
    print(fmt::format("has read {} samples from number {} on for mini-batch {}{}", iteration.local,
                      iteration.first_sample, iteration.step,
                      iteration.indices.empty()
                          ? std::string()
                          : fmt::format(", in the data {}", fmt::join(iteration.indices, " "))));
  }

 private:
  bool acts_in(Iteration const& iteration) const {
    return callbacks::acts_in(fields_.phase, iteration.mode);
  }
  void print(std::string const& what) const {
    std::fputs(fmt::format("lbann-run: rank {} of trainer {} {}\n", run_.executor.rank(),
                           run_.trainer, what)
                   .c_str(),
               stderr);
  }

  callbacks::debug_io fields_;
  CallbackContext const& run_;
  ExecutionMode mode_ = ExecutionMode::training;
  std::int64_t epoch_ = -1;  ///< of the pass that has begun; -1: none
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::debug_io const& fields, CallbackContext const& run,
                                      Span) {
  return std::make_unique<DebugIo>(fields, run);
}

}  // namespace lbann::runtime
