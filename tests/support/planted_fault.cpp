// Faults that the environment asks for: LBANN_PLANT_FAULT=RANK:instruction:TIMES (an instruction of
// `train` throws) or RANK:read:TIMES (a mini-batch cannot be read), after so many that went well.
#include "runtime/execution/planted_fault.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include "kernels/kernel.hpp"
#include "runtime/training/phase.hpp"

namespace lbann::runtime {

namespace {

/// How many times that goes well first, if the environment asks for a fault of this kind.
std::optional<std::int64_t> wanted(std::string_view kind, std::int64_t rank) {
  char const* const wish = std::getenv("LBANN_PLANT_FAULT");
  if (wish == nullptr) return std::nullopt;
  std::string_view const text = wish;
  auto const before = std::to_string(rank) + ':' + std::string(kind) + ':';
  if (!text.starts_with(before)) return std::nullopt;
  std::int64_t times = 0;
  auto const number = text.substr(before.size());
  std::from_chars(number.data(), number.data() + number.size(), times);
  return times;
}

class Throwing final : public kernels::Kernel {
 public:
  explicit Throwing(std::int64_t times) : left_(times) {}
  void run() override {
    if (left_-- <= 0) throw std::runtime_error("a planted fault");
  }
  /// A record of a step would not call it.
  bool waits() const override { return true; }

 private:
  std::int64_t left_;
};

class FailingFeed final : public Feed {
 public:
  FailingFeed(std::unique_ptr<Feed> feed, std::int64_t times)
      : feed_(std::move(feed)), left_(times) {}
  void begin(std::int64_t epoch, std::int64_t first_batch) override {
    feed_->begin(epoch, first_batch);
  }
  Result<MiniBatch> next(std::span<std::byte* const> fields, Copy copy) override {
    if (left_-- <= 0) return Problem{"a mini-batch cannot be read: a planted fault"};
    return feed_->next(fields, copy);
  }
  std::optional<std::string> find_not_finite(std::span<std::byte* const> fields) const override {
    return feed_->find_not_finite(fields);
  }

 private:
  std::unique_ptr<Feed> feed_;
  std::int64_t left_;
};

}  // namespace

std::unique_ptr<kernels::Kernel> planted_kernel(std::string_view entry, std::int64_t rank) {
  auto const times = entry == "train" ? wanted("instruction", rank) : std::nullopt;
  return times ? std::make_unique<Throwing>(*times) : nullptr;
}

std::unique_ptr<Feed> with_planted_fault(std::unique_ptr<Feed> feed, std::int64_t rank) {
  auto const times = wanted("read", rank);
  return times ? std::make_unique<FailingFeed>(std::move(feed), *times) : std::move(feed);
}

}  // namespace lbann::runtime
