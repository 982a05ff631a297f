// Whether a pass over the data has seen each of its samples exactly once.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/state_text.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class CheckDataset final : public Callback {
 public:
  CheckDataset(CallbackContext const& run, Span span) : run_(run), span_(span) {}

  bool on_every_rank() const override { return true; }
  bool failed_check() const override { return failed_; }
  bool reads(Iteration const&) const override { return true; }

  Result<Success> read(Iteration const& iteration) override {
    seen_.insert(seen_.end(), iteration.indices.begin(), iteration.indices.end());
    return Success{};
  }

  /// The trainer root checks the samples of all ranks.
  Result<Success> phase_end(PhaseResult const& phase) override {
    auto all = gather();
    seen_.clear();
    if (!run_.is_root() || !phase.complete) return Success{};
    std::ranges::sort(all);
    auto const twice = std::ranges::adjacent_find(all);
    auto const expected = run_.sizes.of(phase.mode).samples;
    std::string what;
    if (twice != all.end())
      what = fmt::format("sample {} was seen more than once", *twice);
    else if (static_cast<std::int64_t>(all.size()) != expected)
      what = fmt::format("{} of {} samples were seen", all.size(), expected);
    if (what.empty()) return Success{};
    failed_ = true;
    return Problem{
        located(run_.plan.sources, span_, line_start(run_, phase) + " : " + std::move(what))};
  }

  std::string state() const override {
    StateText text;
    for (auto const sample : seen_) text << sample;
    return text.text();
  }
  Result<Success> restore(std::span<std::string const> states) override {
    seen_.clear();
    for (auto const& state : states) {
      StateReader read(state);
      while (auto const sample = read.integer()) seen_.push_back(*sample);
    }
    return Success{};
  }

 private:
  /// Collective: the samples of every rank, on the trainer root.
  std::vector<std::int64_t> gather() const {
    if (run_.ranks == nullptr || run_.ranks->size() == 1) return seen_;
    std::vector<std::int64_t> all;
    for (auto const& part : run_.ranks->gather(std::as_bytes(std::span(seen_)))) {
      auto const before = all.size();
      all.resize(before + part.size() / sizeof(std::int64_t));
      if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
    }
    return all;
  }

  CallbackContext const& run_;
  Span span_;
  std::vector<std::int64_t> seen_;  ///< by this rank in this pass
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::check_dataset const&, CallbackContext const& run,
                                      Span span) {
  return std::make_unique<CheckDataset>(run, span);
}

}  // namespace lbann::runtime
