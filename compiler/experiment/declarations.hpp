// All declared types the language knows, in one place; made once in `main` and passed on.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/callbacks/callback.hpp"
#include "compiler/declarations/declaration.hpp"
#include "compiler/initializers/initializer.hpp"
#include "compiler/layers/layer.hpp"
#include "compiler/objective/objective_term.hpp"
#include "compiler/optimizers/optimizer.hpp"
#include "schemas/data_readers/hdf5_dataset.hpp"
#include "schemas/data_readers/reader.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann::compiler {

/// A data reader without its C++ type.
struct ReaderType {
  DeclarationType declaration;
  std::vector<data_readers::GivenField> (*gives)(void const* reader);
  std::int64_t (*samples)(void const* reader);  ///< -1 where only the data can tell
  std::optional<data_readers::FieldConflict> (*conflict)(void const* reader);
  /// What its samples are opened from.
  std::vector<SampleSource> (*sources)(void const* reader, OpenContext const& context);
  data_readers::reader const& (*common)(void const* reader);  ///< what all readers have
  bool runs_user_code;                                        ///< to open them
  double (*byte_scale)(void const* reader);  ///< factor of the bytes of its files; 1: no bytes

  using SchemaFiles = std::array<std::pair<std::string_view, std::string>, 2>;
  /// Fields and paths of its data schema and its experiment schema; null where it takes none.
  SchemaFiles (*schema_files)(void const* reader) = nullptr;
  /// The reader, told what each sample holds.
  std::shared_ptr<void const> (*with_datasets)(
      void const* reader, std::vector<data_readers::hdf5_dataset> datasets) = nullptr;
  /// Whether `data_set_metadata` says what each sample holds.
  bool takes_metadata = false;
};

/// A metric without its C++ type.
struct MetricType {
  DeclarationType declaration;
  std::string (*shown_name)(void const* metric);  ///< in log lines
};

/// Not copyable: the lists point into the tables.
class Declarations {
 public:
  Declarations();
  Declarations(Declarations const&) = delete;
  Declarations& operator=(Declarations const&) = delete;

  LayerTypes layers;
  OptimizerTypes optimizers;
  InitializerTypes initializers;
  ObjectiveTermTypes objective_terms;
  std::vector<ReaderType> readers;
  CallbackTypes callbacks;
  std::vector<MetricType> layer_metrics, external_metrics;

  DeclarationType trainer, model, layer, weights, data_set_metadata;
  /// Declared, but without what a compilation needs of them.
  std::vector<DeclarationType> training_algorithms;

  /// Declarations by kind, as entries are read.
  std::vector<DeclarationType const*> layer_list, optimizer_list, initializer_list, reader_list,
      callback_list, training_algorithm_list, objective_list, metric_list;

  ReaderType const* find_reader(std::string_view name) const;
};

}  // namespace lbann::compiler
