// The plan: all that passes from compiler to runtime.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schemas/program/program.hpp"
#include "schemas/vocabulary/data_statistic.hpp"
#include "schemas/vocabulary/execution_mode.hpp"

namespace lbann {

inline constexpr std::uint32_t plan_version = 17;

/// A text the plan was made from; spans index these. Where a module or a `repeat` writes a text out
/// once more, that is a source of its own, so that a span tells which time it was.
struct Source {
  std::string name;  ///< as given on the command line
  std::string text;
  std::uint32_t copy_of = Span::no_file;  ///< source whose name and text it has, both empty here
  Span cause = {};                        ///< of a copy: what asked for it
  std::string words = {};                 ///< of a copy: which one, e.g. `in round 2 of repeat`
  friend bool operator==(Source const&, Source const&) = default;
};

/// The source that holds the name and the text of source `file`: itself, or what it is a copy of.
inline Source const& written_source(std::vector<Source> const& sources, std::uint32_t file) {
  auto const& source = sources[file];
  return source.copy_of < sources.size() ? sources[source.copy_of] : source;
}

/// A declaration from the experiment that the runtime reads again by its fields: reader, callback.
struct Declared {
  Record record;
  Span span;
};

/// One data field that a reader gives and the program takes.
struct DataField {
  std::string name;                ///< `samples`, `labels`, ...
  std::vector<std::int64_t> dims;  ///< of one sample
  TensorId tensor;                 ///< the input it fills
};

/// In a plan, of a transform without a phase.
inline constexpr std::uint8_t all_phases = 255;

/// One of the transforms of a field, in the order of their list.
struct AppliedTransform {
  std::string field;
  std::optional<ExecutionMode> phase;  ///< nothing: whatever the samples are for
  Declared transform;
};

/// Training samples are mixed with others of their epoch, one for each, as they are read (callback
/// `mixup`): these fields become share * sample + (1 - share) * other, with shares drawn from
/// Beta(alpha, alpha), or what is left to 1 where that is more.
struct Mixing {
  std::vector<std::string> fields;
  double alpha = 0;
};

struct DataSource {
  ExecutionMode role = ExecutionMode::training;
  Declared reader;
  std::vector<AppliedTransform> transforms;
  /// What each sample holds (data_readers::hdf5_dataset), of a reader that takes schemas.
  std::vector<Declared> datasets;
  std::vector<DataField> fields;
  std::int64_t samples = -1;  ///< -1 where only the runtime can know
  std::optional<Mixing> mixing = {};
};

inline constexpr double most_staged_gigabytes = 1e9;
inline constexpr std::int64_t most_staging_streams = 1024;

/// Copies of data files on each node's own disk (`FileStaging`). No part of what a plan means.
struct Staging {
  std::string local_dir;
  double limit = 0;           ///< GB on a node; 0: none
  std::int64_t streams = 16;  ///< files of a node copied at once
};

/// Sizes of the axes of a mesh of ranks that are asked for; 0: whatever is best. No part of what a
/// plan means.
struct MeshRequest {
  std::int64_t data = 0, rows = 0, columns = 0;
  friend bool operator==(MeshRequest const&, MeshRequest const&) = default;
};
/// Of an axis, at most.
inline constexpr std::int64_t most_ranks = std::int64_t{1} << 30;

/// A scalar summed over the samples of a phase, objective or metric; or a metric that the runtime
/// asks of the world outside (schemas/metrics) at the end of a phase, without tensors.
struct Measure {
  std::string name;
  std::string unit;
  TensorId
      step_value;  ///< f64 result of a train step, mean over its samples; invalid if only summed
  TensorId train_sum, evaluate_sum;       ///< f64 statistics: sum over samples since last zeroed
  std::optional<Declared> external = {};  ///< who is asked, where no tensor tells
};

struct WeightsInfo {
  std::string name;
  std::vector<std::int64_t> dims;
  TensorId tensor;
  std::string optimizer;   ///< empty: not trained
  TensorId learning_rate;  ///< f64 statistic; invalid if not trained
  Span span;
  std::string file;           ///< `.npy` with their first values; empty: `initialize` writes them
  bool inputs_first = false;  ///< dims are [inputs, outputs]; other programs keep them reversed
  /// Data field of training whose statistics are their first values: one for each channel (first
  /// axis) or for each entry of a sample; empty: none.
  std::string statistic_of = {};
  DataStatistic statistic = DataStatistic::mean;
};

/// A layer as a user knows it, for descriptions and callbacks.
struct LayerInfo {
  std::string name, type;
  std::vector<std::string> parents, children, weights;
  std::vector<std::vector<std::int64_t>> dims;  ///< of one sample, per output
  DataType datatype = DataType::f32;            ///< computed in, and of the outputs
  std::string inserted_by;
  Span span;
};

/// What a callback reads of a step.
enum class Observable : std::uint8_t { output, error_signal, gradient };
inline constexpr std::array<std::string_view, 3> observable_names = {"output", "error_signal",
                                                                     "gradient"};

/// A value that a callback asked for. It is there after the entry point `<entry>.observed` has
/// run, which computes what `<entry>` does, to the bit, and keeps the values that are observed.
struct Observation {
  Observable observable = Observable::output;
  std::string name;        ///< of the layer, or of the weights
  std::int64_t index = 0;  ///< which of the layer's outputs
  std::string entry;       ///< `train` or `evaluate`
  TensorId tensor;         ///< result
};

/// An output of a layer that the user wrote, as the entry point `predict` computes it.
struct ModelOutput {
  std::string layer;
  std::int64_t index = 0;   ///< which of the layer's outputs
  bool by_default = false;  ///< whether it is predicted unless the user names others
  TensorId tensor;          ///< [batch, dims of the output]
};

/// Steps of another size from an epoch on.
struct MiniBatchChange {
  std::int64_t epoch = 0;       ///< the first of this size
  std::int64_t mini_batch = 1;  ///< samples of a step, on all ranks

  friend bool operator==(MiniBatchChange const&, MiniBatchChange const&) = default;
};

/// Stop at whichever comes first; 0 means no such limit.
struct TrainingAlgorithm {
  std::string type = "sgd";
  std::int64_t max_epochs = 0, max_batches = 0;
  double max_seconds = 0;
  /// In the order of their epochs, the first at 0; none: all steps are of the plan's
  /// `mini_batch_size`, which is the largest.
  std::vector<MiniBatchChange> mini_batches;
};

struct Plan {
  std::string experiment;  ///< model name, as log lines show it
  std::vector<Source> sources;
  std::vector<std::string> overrides;  ///< `--set` arguments
  DataType type = DataType::f32;       ///< of layers and weights that have no other
  std::int64_t mini_batch_size = 1;
  std::int64_t accumulate = 1;           ///< equal micro-batches of a mini-batch, computed in turn
  std::int64_t hydrogen_block_size = 0;  ///< samples of a panel, see `panels`; 0: no panels
  std::int64_t random_seed = 42;
  TrainingAlgorithm training;
  Program program;
  TensorId mini_batch, first_sample, seed, step;  ///< inputs f64, i64; statistics i64, i64
  /// f64 inputs with gradient accumulation: samples of the mini-batch, and of its micro-batches
  /// that were computed before. `mini_batch` is the size of the micro-batch then.
  TensorId step_samples, samples_before;
  /// f64 statistics that the runtime writes, where an entry point with a timing reads them: steps
  /// of the first epoch, after `initialize`; samples of the epoch, before each `epoch_end`.
  TensorId steps_per_epoch, epoch_samples;
  /// f64 statistics with `amp: {type: fp16}`: what the objective is multiplied by, and how many
  /// steps changed no weights, since gradients were not finite.
  TensorId loss_scale, skipped_steps;
  Measure objective;
  std::vector<Measure> metrics;
  std::vector<WeightsInfo> weights;
  std::vector<LayerInfo> layers;
  std::vector<DataSource> data;
  std::vector<Declared> callbacks;
  std::vector<Observation> observations;
  std::vector<ModelOutput> outputs;        ///< in the order of the layers
  std::vector<std::string> unimplemented;  ///< what the experiment asks for and no runtime has yet
  std::optional<Staging> staging = {};
  MeshRequest mesh = {};  ///< where the command says nothing

  /// The most samples that are computed at a time: those of a micro-batch.
  std::int64_t micro_batch_size() const { return mini_batch_size / accumulate; }
};

/// Everything a plan must keep: its program is sound, ids are in range and of the right role, type
/// and shape, spans lie within their sources, sizes are positive and fit 64 bits. Nothing if so.
std::optional<std::string> verify(Plan const& plan);

/// Canonical bytes: equal plans give equal bytes, whatever machine, folder or day.
std::vector<std::uint8_t> encode(Plan const& plan);

/// The plan in `bytes`, completely verified (digest, FlatBuffers, every index, shape and size), or
/// what does not fit and what to do about it.
Result<Plan> decode(std::span<std::uint8_t const> bytes);

/// The plan in a file; problems name the file.
Result<Plan> read_plan(std::string const& path);

/// Digest of what the plan means: without texts, spans and paths.
std::uint64_t meaning_digest(Plan const& plan);

}  // namespace lbann
