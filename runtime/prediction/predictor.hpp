// A trained model that computes outputs of samples.
#pragma once

#include <memory>
#include <span>

#include "runtime/checkpoints/load_weights.hpp"
#include "runtime/execution/executor.hpp"
#include "runtime/prediction/prepare.hpp"
#include "runtime/run_options.hpp"

namespace lbann::runtime {

/// The entry point `predict` of a single process, with weights loaded. A block of samples gives the
/// same bits whoever computes it.
class Predictor {
 public:
  struct Options {
    kernels::Selection selection = kernels::Selection::best;
    std::int64_t most_samples = 1;  ///< of a block
    WeightsToLoad weights;
  };

  /// `prepared` must outlive it. Problems: memory; weights that are missing or do not fit, by name.
  static Result<std::unique_ptr<Predictor>> create(PreparedPrediction const& prepared,
                                                   Options const& options);

  std::int64_t most_samples() const { return most_samples_; }
  /// What became of each path of weights.
  std::vector<LoadedPath> const& loaded() const { return loaded_; }
  /// Where a data field of the next block goes, sample after sample; null if nothing reads it.
  std::byte* input(DataField const& field) const;
  /// Computes `samples` (at least 1) from the inputs; `first` is the place of the first among all.
  Result<Success> run(std::int64_t samples, std::int64_t first);
  /// Output number `index` of `prepared.outputs`, of the block just computed.
  std::span<std::byte const> output(std::size_t index, std::int64_t samples) const;
  TensorType const& type(std::size_t index) const;

 private:
  Predictor(PreparedPrediction const& prepared, std::unique_ptr<Executor> executor,
            std::int64_t most_samples)
      : prepared_(prepared), executor_(std::move(executor)), most_samples_(most_samples) {}

  PreparedPrediction const& prepared_;
  std::unique_ptr<Executor> executor_;
  std::int64_t most_samples_;
  std::vector<LoadedPath> loaded_;
  double* mini_batch_ = nullptr;
  std::int64_t* first_sample_ = nullptr;
};

/// What `--load-model` and `--rename` ask to be loaded.
WeightsToLoad weights_to_load(RunOptions const& run);

}  // namespace lbann::runtime
