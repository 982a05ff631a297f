// Mixing of samples with others of their epoch.
#include "runtime/data/mixing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lbann::runtime {

namespace {

/// Random numbers of one sample of an epoch.
class Draws {
 public:
  Draws(PhiloxKey key, std::int64_t epoch, std::int64_t position)
      : key_(key), epoch_(epoch), position_(position) {}

  /// Uniform in (0, 1).
  double uniform() {
    if (used_ == words_.size()) {
      words_ = philox(random_counter(epoch_, position_, block_++), key_);
      used_ = 0;
    }
    return unit_double(words_[used_++]) + 0x1p-33;
  }
  double normal() {
    auto const radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  PhiloxKey key_;
  std::int64_t epoch_, position_, block_ = 0;
  PhiloxCounter words_{};
  std::size_t used_ = words_.size();
};

/// The logarithm of a draw of Gamma(shape), since draws of small shapes are less than a double
/// holds.
double log_gamma_draw(double shape, Draws& draws) {
  // A draw of Gamma(a) is one of Gamma(a + 1) times u^(1 / a).
  if (shape < 1) {
    auto const more = log_gamma_draw(shape + 1, draws);
    return more + std::log(draws.uniform()) / shape;
  }
  auto const d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    auto const x = draws.normal(), root = 1 + c * x;
    if (root <= 0) continue;
    auto const log_v = 3 * std::log(root);
    if (std::log(draws.uniform()) < 0.5 * x * x + d * (1 - std::exp(log_v) + log_v))
      return std::log(d) + log_v;
  }
}

template <class T>
void mix(T* values, T const* others, std::int64_t count, T share) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = share * values[i] + (1 - share) * others[i];
}

}  // namespace

double mixing_share(double alpha, PhiloxKey key, std::int64_t epoch, std::int64_t position) {
  Draws draws(key, epoch, position);
  auto const log_x = log_gamma_draw(alpha, draws), log_y = log_gamma_draw(alpha, draws);
  auto const gap = std::abs(log_x - log_y);
  return std::isnan(gap) ? 1 : 1 / (1 + std::exp(-gap));  // both draws are 0, of the least alphas
}

void mix(FieldValues const& values, FieldValues const& others, double share) {
  if (values.type == DataType::f64)
    mix(static_cast<double*>(values.data), static_cast<double const*>(others.data), values.count,
        share);
  else
    mix(static_cast<float*>(values.data), static_cast<float const*>(others.data), values.count,
        static_cast<float>(share));
}

}  // namespace lbann::runtime
