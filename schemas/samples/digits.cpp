// Digits drawn when they are first asked for, and kept.
#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "schemas/samples/draw_digit.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

namespace {

/// More bytes of drawn digits than this are not kept.
constexpr std::int64_t largest_cache = std::int64_t{1} << 28;

class DigitSamples final : public Samples {
 public:
  explicit DigitSamples(data_readers::digits const& reader)
      : count_(reader.num_samples),
        size_(reader.size),
        key_(random_key(reader.seed, random_name("digits/" + reader_role(reader.role)))),
        fields_{{"samples", {1, reader.size, reader.size}}, {"labels", {10}}} {}

  std::int64_t count() const override { return count_; }
  bool is_costly() const override { return true; }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> load(bool) override {
    std::int64_t bytes = 0;
    if (!__builtin_mul_overflow(count_, size_ * size_, &bytes) && bytes <= largest_cache) {
      drawn_ = std::vector<std::atomic<State>>(static_cast<std::size_t>(count_));
      pixels_.resize(static_cast<std::size_t>(bytes));
    }
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t field,
                       FieldValues const& values) const override {
    if (field == 1) {
      set_one_hot(values, digit_of(key_, index));
      return Success{};
    }
    auto const show = [&](std::span<std::uint8_t const> pixels) {
      for (std::size_t i = 0; i < pixels.size(); ++i)
        values.set(static_cast<std::int64_t>(i), pixels[i] / 255.0);
    };
    auto const count = static_cast<std::size_t>(size_ * size_),
               at = static_cast<std::size_t>(index);
    if (!drawn_.empty() && drawn_[at].load(std::memory_order_acquire) == State::done) {
      show(std::span(pixels_).subspan(at * count, count));
      return Success{};
    }
    auto const canvas = borrow_canvas();
    draw_digit(key_, index, size_, canvas->pixels, canvas->distances);
    show(canvas->pixels);
    auto state = State::absent;
    if (!drawn_.empty() && drawn_[at].compare_exchange_strong(state, State::claimed)) {
      std::ranges::copy(canvas->pixels, pixels_.begin() + static_cast<std::ptrdiff_t>(at * count));
      drawn_[at].store(State::done, std::memory_order_release);
    }
    return_canvas(canvas);
    return Success{};
  }

 private:
  enum class State : std::uint8_t { absent, claimed, done };
  struct Canvas {
    std::vector<std::uint8_t> pixels;
    std::vector<float> distances;
  };

  /// As many canvases exist as threads ever drew at the same time.
  Canvas* borrow_canvas() const {
    std::lock_guard const lock(mutex_);
    if (idle_.empty()) {
      auto const count = static_cast<std::size_t>(size_ * size_);
      idle_.reserve(canvases_.size() + 1);
      return &canvases_.emplace_back(
          Canvas{std::vector<std::uint8_t>(count), std::vector<float>(count)});
    }
    auto* canvas = idle_.back();
    idle_.pop_back();
    return canvas;
  }
  void return_canvas(Canvas* canvas) const {
    std::lock_guard const lock(mutex_);
    idle_.push_back(canvas);
  }

  std::int64_t count_, size_;
  PhiloxKey key_;
  std::vector<GivenField> fields_;
  mutable std::vector<std::uint8_t> pixels_;       ///< of all digits, if they are kept
  mutable std::vector<std::atomic<State>> drawn_;  ///< per digit; empty if they are not kept
  mutable std::mutex mutex_;
  mutable std::deque<Canvas> canvases_;
  mutable std::vector<Canvas*> idle_;
};

}  // namespace

std::vector<SampleSource> sources_of(data_readers::digits const& reader, OpenContext const&) {
  return {source_of_nothing([=]() -> OpenedSamples {
    if (reader.num_samples < 1) return Problem{"num_samples must be positive"};
    if (reader.size < 8 || reader.size > 1024) return Problem{"size must be between 8 and 1024"};
    return opened<DigitSamples>(reader);
  })};
}

}  // namespace lbann
