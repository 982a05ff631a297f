// Mean and deviation in one pass: B. P. Welford, "Note on a method for calculating corrected sums
// of squares and products", Technometrics 4 (1962).
#include "runtime/inspection/field_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lbann::runtime {

FieldSummary::FieldSummary(std::vector<std::int64_t> const& dims) {
  if (dims.size() == 1 && dims[0] > 1) classes_.resize(static_cast<std::size_t>(dims[0]));
}

void FieldSummary::add(std::span<double const> sample) {
  for (double const value : sample) {
    if (std::isnan(value)) {
      ++nans_;
    } else if (std::isinf(value)) {
      ++infinities_;
    } else {
      least_ = finite_ == 0 ? value : std::min(least_, value);
      most_ = finite_ == 0 ? value : std::max(most_, value);
      auto const distance = value - mean_;
      mean_ += distance / static_cast<double>(++finite_);
      squares_ += distance * (value - mean_);
    }
  }
  if (!classes_.empty()) count_class(sample);
}

void FieldSummary::count_class(std::span<double const> sample) {
  auto const one = std::ranges::find(sample, 1.0);
  auto const zeros = std::ranges::count(sample, 0.0);
  if (one == sample.end() || zeros + 1 != static_cast<std::ptrdiff_t>(sample.size()))
    classes_.clear();
  else
    ++classes_[static_cast<std::size_t>(one - sample.begin())];
}

double FieldSummary::deviation() const {
  return finite_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(finite_));
}

std::vector<std::string> FieldSummary::lines() const {
  auto line = finite_ == 0 ? std::string("no finite number")
                           : fmt::format(
                                 "{} numbers from {:.7g} to {:.7g}, mean {:.7g}, deviation "
                                 "{:.7g}",
                                 finite_, least_, most_, mean_, deviation());
  if (nans_ > 0) line += fmt::format(", {} NaN", nans_);
  if (infinities_ > 0) line += fmt::format(", {} infinite", infinities_);
  std::vector<std::string> lines{std::move(line)};
  auto const samples = std::accumulate(classes_.begin(), classes_.end(), std::int64_t{0});
  if (samples == 0) return lines;
  lines.push_back("samples of each class:");
  constexpr std::size_t in_a_line = 10;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (i % in_a_line == 0) lines.emplace_back(" ");
    lines.back() += fmt::format(" {}: {}", i, classes_[i]);
  }
  return lines;
}

}  // namespace lbann::runtime
