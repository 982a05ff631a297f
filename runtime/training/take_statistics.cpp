// One pass over the training samples. Mean and sum of squared distances from it are kept for each
// channel or entry and merged pair by pair, batches first, then ranks: T. F. Chan, G. H. Golub,
// R. J. LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances"
// (1979).
#include "runtime/training/take_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/communication/agreement.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

/// Mean and sum of squared distances of the numbers of each of some channels or entries.
struct Moments {
  std::vector<double> means, squares;
  double numbers = 0;  ///< of each

  explicit Moments(std::size_t channels) : means(channels), squares(channels) {}

  /// Takes `samples` samples of `inner` adjacent numbers for each channel.
  template <class T>
  void add(T const* data, std::int64_t samples, std::int64_t inner) {
    auto const channels = static_cast<std::int64_t>(means.size());
    auto const added = static_cast<double>(samples * inner);
    auto const each = [&](std::int64_t channel, auto const& take) {
      for (std::int64_t i = 0; i < samples; ++i) {
        auto const* const first = data + (i * channels + channel) * inner;
        for (std::int64_t j = 0; j < inner; ++j) take(static_cast<double>(first[j]));
      }
    };
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      double sum = 0;
      each(channel, [&](double x) { sum += x; });
      auto const mean = sum / added;
      double square = 0;
      each(channel, [&](double x) { square += (x - mean) * (x - mean); });
      merge(static_cast<std::size_t>(channel), mean, square, added);
    }
    numbers += added;
  }

  /// Of one channel; `numbers` are those before.
  void merge(std::size_t channel, double mean, double square, double added) {
    auto const distance = mean - means[channel];
    auto const share = added / (numbers + added);
    means[channel] += distance * share;
    squares[channel] += square + distance * distance * numbers * share;
  }

  /// Those of all ranks together.
  void sum_over(Communicator& ranks) {
    double all = numbers;
    ranks.all_reduce(&all, 1, DataType::f64);
    auto overall = means;
    for (auto& mean : overall) mean *= numbers / all;
    ranks.all_reduce(overall.data(), static_cast<std::int64_t>(overall.size()), DataType::f64);
    for (std::size_t i = 0; i < means.size(); ++i) {
      auto const distance = means[i] - overall[i];
      squares[i] += distance * distance * numbers;
    }
    ranks.all_reduce(squares.data(), static_cast<std::int64_t>(squares.size()), DataType::f64);
    means = std::move(overall);
    numbers = all;
  }

  bool finite() const {
    auto const good = [](double x) { return std::isfinite(x); };
    return std::ranges::all_of(means, good) && std::ranges::all_of(squares, good);
  }

  double value(DataStatistic statistic, std::size_t channel) const {
    if (statistic == DataStatistic::mean) return means[channel];
    auto const deviation = std::sqrt(squares[channel] / numbers);
    // Of equal numbers rounded means of batches and ranks leave a few units of 2^-53.
    return deviation > 0x1p-45 * std::abs(means[channel]) ? deviation : 1;
  }
};

/// A field of which statistics are wanted: by number of channels or entries.
struct WantedField {
  std::vector<std::byte> batch;
  std::map<std::int64_t, Moments> moments;
};

/// What `source` gives, and of which fields statistics are wanted.
class Reading {
 public:
  Reading(Plan const& plan, DataSource const& source, std::int64_t largest_batch)
      : plan_(plan), source_(source), fields_(source.fields.size()) {
    for (auto const& weights : plan.weights) {
      if (weights.statistic_of.empty()) continue;
      auto const count = *checked_product(weights.dims);
      field(weights).moments.try_emplace(count, static_cast<std::size_t>(count));
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (fields_[i].moments.empty()) continue;
      auto const bytes = static_cast<std::int64_t>(bytes_of(type(i))) * entries(i);
      fields_[i].batch.resize(static_cast<std::size_t>(bytes * largest_batch));
    }
  }

  /// Reads all mini-batches. Ranks of a trainer stop at the same one, as they may need what others
  /// read; those without a problem of their own succeed then.
  Result<Success> read(Phase& training, Communicator& trainer) {
    std::vector<std::byte*> places;
    for (auto& field : fields_)
      places.push_back(field.batch.empty() ? nullptr : field.batch.data());
    training.begin(0);
    for (std::int64_t i = 0; i < training.size().micro_batches(); ++i) {
      auto added = add_next(training, places);
      std::int64_t failed = added ? 0 : 1;
      trainer.all_reduce(&failed, 1, DataType::i64);
      if (failed > 0) return added;
    }
    return Success{};
  }

  void sum_over(Communicator& ranks) {
    for (auto& field : fields_)
      for (auto& [count, moments] : field.moments) moments.sum_over(ranks);
  }

  void write(WeightsInfo const& weights, kernels::View const& view) {
    auto const& moments = field(weights).moments.at(*checked_product(weights.dims));
    for (std::size_t i = 0; i < moments.means.size(); ++i) {
      auto const value = moments.value(weights.statistic, i);
      if (view.type == DataType::f64)
        view.as<double>()[i] = value;
      else
        view.as<float>()[i] = static_cast<float>(value);
    }
  }

 private:
  Result<Success> add_next(Phase& training, std::vector<std::byte*> const& places) {
    auto const batch = training.load_next(places);
    if (!batch) return batch.problem();
    if (batch.value().local == 0 || add(batch.value().local)) return Success{};
    return Problem{training.find_not_finite(places).value_or(
        "the training data are too large for their mean and deviation")};
  }

  WantedField& field(WeightsInfo const& weights) {
    auto const found = std::ranges::find(source_.fields, weights.statistic_of, &DataField::name);
    return fields_[static_cast<std::size_t>(found - source_.fields.begin())];
  }
  DataType type(std::size_t field) const {
    return plan_.program[source_.fields[field].tensor].type.type;
  }
  std::int64_t entries(std::size_t field) const {
    return *checked_product(source_.fields[field].dims);
  }

  /// Whether all is still finite.
  bool add(std::int64_t samples) {
    bool good = true;
    for (std::size_t i = 0; i < fields_.size(); ++i)
      for (auto& [count, moments] : fields_[i].moments) {
        auto const* const data = fields_[i].batch.data();
        if (type(i) == DataType::f64)
          moments.add(reinterpret_cast<double const*>(data), samples, entries(i) / count);
        else
          moments.add(reinterpret_cast<float const*>(data), samples, entries(i) / count);
        good = good && moments.finite();
      }
    return good;
  }

  Plan const& plan_;
  DataSource const& source_;
  std::vector<WantedField> fields_;
};

}  // namespace

Result<Success> take_statistics(Plan const& plan, Executor const& executor, Ranks const& ranks,
                                std::optional<Phase>& training, Log& log) {
  auto const wanted = [](WeightsInfo const& weights) { return !weights.statistic_of.empty(); };
  auto const first = std::ranges::find_if(plan.weights, wanted);
  // All trainers agree, of which another may have another plan.
  if (first == plan.weights.end()) return agree_on_status(*ranks.world, Result<Success>(Success{}));
  if (!training || training->size().samples == 0)
    return agree_on_status(
        *ranks.world,
        Result<Success>(Problem{located(
            plan.sources, first->span,
            "weights `" + first->name + "` are statistics of training data, and there are none")}));
  Reading reading(plan, training->source(), executor.local_samples(training->size().micro_batch));
  if (auto read = agree_on_status(*ranks.world, reading.read(*training, *ranks.trainer)); !read)
    return read;
  reading.sum_over(*ranks.trainer);
  for (auto const& weights : plan.weights)
    if (wanted(weights))
      if (auto const view = executor.place(weights.tensor, 0); view.data != nullptr) {
        reading.write(weights, view);
        executor.put(weights.tensor);
      }
  log.line(fmt::format("statistics of the data: taken from {} training samples",
                       training->size().samples));
  return Success{};
}

}  // namespace lbann::runtime
