// The experiment: typed, defaults filled, variables replaced; references still by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "compiler/experiment/recompute.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/transforms/list.hpp"

namespace lbann::compiler {

/// A name the user wrote and where.
struct Name {
  std::string text;
  Span span;
};

/// One entry of `model: layers:`.
struct LayerEntry {
  Declaration declaration;
  Declaration common;  ///< `sections::layer`; none where no text is behind it
  Name name;           ///< given, or `<type>_<n>` with the type's span
  bool named = false;  ///< the user gave the name
  std::optional<std::vector<Name>>
      parents;  ///< as written (`layer` or `layer.output`); nothing: the layer before
  std::vector<Name> children;
  std::vector<Name> weights;
  std::optional<Name> weights_of;
  bool shares_as_part = false;  ///< `weights_of` comes from the call of a module
  std::string calls;            ///< of modules that wrote it, outermost first, with `/` between
  std::optional<Name> hint_layer;
  bool freeze = false;
  bool recompute = false;
  std::optional<Span> model_parallel;  ///< where that is said
  std::optional<DataType> datatype;    ///< none: the model's
  Span span;
};

/// One entry of `model: weights:`.
struct WeightsEntry {
  Declaration declaration;  ///< `sections::weights`
  Name name;
  Declaration initializer;                   ///< none: constant 0
  Declaration optimizer;                     ///< none: the experiment's
  std::optional<DataType> datatype;          ///< none: the model's
  std::vector<std::string> shards;           ///< mesh axes of its parts; none: as the model says
  std::optional<std::int64_t> file_numbers;  ///< in the file of a numpy_initializer, if it is here
  Span span;
};

/// One entry of `model: objective_function:`.
struct ObjectiveTerm {
  Declaration declaration;
  double scale_factor = 1;
  std::optional<Name> layer;  ///< none: a regularization of `weights`
  std::vector<Name> weights;  ///< empty: all that are trained
  Span span;
};

/// One entry of `model: metrics:`.
struct MetricEntry {
  Declaration declaration;
  Name name;   ///< default: that of the layer, of the program, of the function
  Name layer;  ///< of a metric that a layer gives
  std::string unit;
  Span span;
};

/// A transform of a field of a reader's samples.
struct TransformEntry {
  std::string field;
  std::optional<ExecutionMode> phase;  ///< nothing: whatever the samples are for
  Declaration declaration;
  Transform transform;
};

struct ReaderEntry {
  Declaration declaration;
  std::vector<TransformEntry> transforms;  ///< in their order
  std::vector<Declared> datasets;          ///< of each sample, as schemas say
  ExecutionMode role = ExecutionMode::training;
  bool runs_user_code = false;  ///< to open its samples
  struct FieldDims {
    Name name;
    std::vector<std::int64_t> dims;         ///< of one sample; empty: not known
    std::string unknown_because;            ///< why the dims are not known, in words
    std::optional<Span> missing_file = {};  ///< where a file is named that is not here to tell them
  };
  std::vector<FieldDims> fields;  ///< what the reader gives: known, declared, `--field` or probed
  std::int64_t samples = -1;      ///< in the source, before any choice; -1: the runtime will know
  std::int64_t trained_on = -1;   ///< of a train reader, after all choices; -1: the same
  Span span;
};

/// The loss scale of mixed precision with f16: what the objective is multiplied by.
struct LossScale {
  double initial, growth, backoff;
  std::int64_t growth_interval;  ///< steps with finite gradients
  Span span;
};

struct Experiment {
  /// Samples of a micro-batch, which are computed at a time: without `accumulate`, the mini-batch.
  std::int64_t micro_batch_size() const { return mini_batch_size / accumulate; }

  Declaration trainer, model;  ///< sections of these names
  Declaration data_set_metadata;
  std::string name;
  bool model_parallel = false;             ///< all layers that can be
  std::vector<std::string> shards;         ///< mesh axes over which ranks hold parts of matrices
  std::vector<std::string> update_shards;  ///< the same, of what updates matrices that all hold
  DataType type = DataType::f32;           ///< of layers, weights and samples that have no other
  std::optional<DataType> amp;             ///< of layers of products, in mixed precision
  std::optional<LossScale> loss_scale;     ///< where `amp` is f16
  std::optional<DataType> sample_type;     ///< as the readers give them
  std::optional<Staging> staging;
  MeshRequest mesh;
  std::int64_t mini_batch_size = 1;
  std::int64_t accumulate = 1;            ///< micro-batches of a mini-batch
  Recompute recompute = Recompute::none;  ///< activations in the backward pass
  std::int64_t memory_limit = 0;          ///< bytes of a rank; 0: none
  Span memory_limit_span;
  std::int64_t hydrogen_block_size = 0;  ///< samples of a panel; 0: no panels
  std::int64_t random_seed = 42;
  Span mini_batch_span;
  std::optional<std::int64_t> uncapped_mini_batch;  ///< what was asked for, after a cap
  bool caps_mini_batch = false;  ///< one larger than the data is as large as that, as in LBANN
  TrainingAlgorithm training;    ///< no limit: nothing is trained
  Span training_span;
  std::vector<ReaderEntry> readers;
  std::vector<std::string> files;  ///< of readers and initial values, or where they belong
  std::vector<LayerEntry> layers;
  Span layers_span;  ///< the key `layers`
  std::vector<WeightsEntry> weights;
  std::vector<ObjectiveTerm> objective;
  std::vector<MetricEntry> metrics;
  std::vector<MetricEntry> external_metrics;  ///< those that no layer gives
  std::vector<Declaration> callbacks;  ///< the model's; the trainer's are its part `callbacks`
  Declaration optimizer;               ///< none: nothing is trained unless weights say so
  std::vector<std::string> overrides;  ///< `--set` arguments
};

}  // namespace lbann::compiler
