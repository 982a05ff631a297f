// Figures of one data field over many samples.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lbann::runtime {

/// Takes samples one after the other and keeps no sample.
class FieldSummary {
 public:
  /// `dims` of a sample.
  explicit FieldSummary(std::vector<std::int64_t> const& dims);

  void add(std::span<double const> sample);

  /// E.g. `200 numbers from -3.2 to 4.1, mean 0.51, deviation 1.2` (of the whole, not a sample of
  /// it), then how many are not finite, which count in nothing else; then, where every sample is
  /// one-hot, lines with the number of samples of each class.
  std::vector<std::string> lines() const;

  // Of the finite numbers.
  std::int64_t finite() const { return finite_; }
  double least() const { return least_; }
  double most() const { return most_; }
  double mean() const { return mean_; }
  double deviation() const;
  std::int64_t nans() const { return nans_; }
  std::int64_t infinities() const { return infinities_; }
  /// Samples per class; empty where some sample is not one-hot.
  std::vector<std::int64_t> const& classes() const { return classes_; }

 private:
  void count_class(std::span<double const> sample);

  std::int64_t finite_ = 0, nans_ = 0, infinities_ = 0;
  double least_ = 0, most_ = 0, mean_ = 0;
  double squares_ = 0;  ///< sum of squared distances from the mean
  std::vector<std::int64_t> classes_;
};

}  // namespace lbann::runtime
