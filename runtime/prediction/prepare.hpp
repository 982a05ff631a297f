// From a plan to what of it predicts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/prediction/sample_field.hpp"
#include "schemas/plan/prediction.hpp"
#include "schemas/samples/python_workers.hpp"

namespace lbann::runtime {

/// What the command line asks for.
struct PredictionOptions {
  bool predict = false, serve = false;  ///< or else a run trains
  std::filesystem::path out;            ///< .npy, .csv or .npz file
  std::string data;                     ///< path that replaces the one of the reader; empty: none
  std::vector<std::string> layers;      ///< whose outputs are predicted; none: by default
};

/// Work done before MPI is initialised.
struct PreparedPrediction {
  Plan plan;                         ///< with the one reader whose samples are predicted, if any
  std::vector<ModelOutput> outputs;  ///< each a result of `predict`
  ExecutionMode role = ExecutionMode::testing;  ///< of that reader in the experiment
  std::optional<PythonWorkers> python;

  /// What `predict` reads of the reader's data, in its order.
  std::vector<SampleField> inputs() const;
  /// The outputs, called like their layers; `<layer>_output<k>` where a layer has several.
  std::vector<SampleField> predictions() const;
};

/// "`a` [3], `b` [1, 28, 28]".
std::string words(std::vector<SampleField> const& fields);

/// Reads the plan in file `path` and keeps what of it predicts the outputs that `options` choose.
/// The reader is the one of role `predict`, else `test`, `validate`, `train`; of a training reader
/// all samples are taken. With `reads` false there is no reader, but fields and dims of one stay.
Result<PreparedPrediction> prepare_prediction(std::filesystem::path const& path,
                                              PredictionOptions const& options,
                                              OpenContext const& context, bool reads);

}  // namespace lbann::runtime
