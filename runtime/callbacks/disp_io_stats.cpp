// Logs how many samples each rank has read.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "runtime/callbacks/factories.hpp"

namespace lbann::runtime {

namespace {

class DispIoStats final : public Callback {
 public:
  DispIoStats(callbacks::disp_io_stats fields, CallbackContext const& run)
      : fields_(std::move(fields)), run_(run) {}

  bool on_every_rank() const override { return true; }
  bool observes_iterations() const override { return true; }

  void iteration_end(Iteration const& iteration) override {
    own_[static_cast<std::size_t>(iteration.mode)].of_pass += iteration.local;
  }

  /// Collective.
  Result<Success> phase_end(PhaseResult const& phase) override {
    auto& own = own_[static_cast<std::size_t>(phase.mode)];
    own.in_all += own.of_pass;
    auto const told = std::as_bytes(std::span(&own, 1));
    std::vector<std::vector<std::byte>> all;
    if (run_.ranks != nullptr)
      all = run_.ranks->gather(told);
    else
      all.emplace_back(told.begin(), told.end());
    own.of_pass = 0;
    if (run_.is_root()) log(phase, all);
    return Success{};
  }

 private:
  struct Count {
    std::int64_t of_pass = 0, in_all = 0;
  };

  void log(PhaseResult const& phase, std::vector<std::vector<std::byte>> const& all) {
    auto layers = fields_.layers;
    if (layers.empty()) layers.emplace_back();
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      Count count;
      std::memcpy(&count, all[rank].data(), sizeof count);
      for (auto const& layer : layers)
        run_.log.line(
            fmt::format("rank {}.{} read {} of {} {} samples{}, {} since the run began",
                        run_.trainer, rank, count.of_pass, phase.samples, name_of(phase.mode),
                        layer.empty() ? std::string() : " for `" + layer + "`", count.in_all));
    }
  }

  callbacks::disp_io_stats fields_;
  CallbackContext const& run_;
  std::array<Count, run_modes> own_ = {};  ///< by ExecutionMode
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::disp_io_stats const& fields,
                                      CallbackContext const& run, Span) {
  return std::make_unique<DispIoStats>(fields, run);
}

}  // namespace lbann::runtime
