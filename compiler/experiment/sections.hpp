// The fixed parts of the language as declarations: their fields are checked like a layer's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "compiler/experiment/placement.hpp"
#include "compiler/experiment/recompute.hpp"
#include "schemas/plan/plan.hpp"
#include "schemas/transforms/list.hpp"
#include "schemas/vocabulary/field.hpp"
#include "schemas/vocabulary/part.hpp"

namespace lbann::compiler {

enum class Precision : std::uint8_t { single_precision, double_precision };

/// Of weights or of samples; `model_precision` is that of the model.
enum class LocalPrecision : std::uint8_t {
  model_precision,
  single_precision,
  double_precision,
  half_precision,
  complex_single,
  complex_double
};

/// Of one layer.
enum class LayerPrecision : std::uint8_t {
  model_precision,
  single_precision,
  double_precision,
  bfloat16,
  half_precision,
  complex_single,
  complex_double
};

/// The type of mixed precision.
enum class NarrowPrecision : std::uint8_t { bfloat16, half_precision };

constexpr DataType data_type_of(NarrowPrecision precision) {
  return precision == NarrowPrecision::half_precision ? DataType::f16 : DataType::bf16;
}

/// The type that a layer stores its outputs in; none as below.
constexpr std::optional<DataType> data_type_of(LayerPrecision precision) {
  if (precision == LayerPrecision::single_precision) return DataType::f32;
  if (precision == LayerPrecision::double_precision) return DataType::f64;
  if (precision == LayerPrecision::bfloat16) return DataType::bf16;
  if (precision == LayerPrecision::half_precision) return DataType::f16;
  return std::nullopt;
}

/// The type of numbers; none where it is the model's or nothing computes in it.
constexpr std::optional<DataType> data_type_of(LocalPrecision precision) {
  if (precision == LocalPrecision::single_precision) return DataType::f32;
  if (precision == LocalPrecision::double_precision) return DataType::f64;
  return std::nullopt;
}

/// Phases of training that transforms hold for: all, or that of one role of readers.
enum class TransformPhase : std::uint8_t { all, training, validation, testing, tournament };
enum class SubgraphCommunication : std::uint8_t { pt2pt, coll, coll_opt };
enum class ShardingStrategy : std::uint8_t { full, grid_rows, grid_cols };

/// Axes of the mesh along which ranks hold different parts.
inline std::vector<std::string> mesh_axes_of(ShardingStrategy strategy) {
  if (strategy == ShardingStrategy::grid_rows) return {"rows"};
  if (strategy == ShardingStrategy::grid_cols) return {"columns"};
  return {"data", "rows", "columns"};
}

namespace sections {

/// Transforms of one data field.
struct transform_data_field {
  static constexpr std::string_view name = "transforms";
  static constexpr std::string_view summary = "Changes of the samples of one data field.";

  std::string data_field;
  TransformPhase execution_phase = TransformPhase::all;

  static constexpr auto fields() {
    return std::tuple{
        field("data_field", &transform_data_field::data_field, "Name of the data field.",
              Presence::required),
        field("execution_phase", &transform_data_field::execution_phase, "Phase it holds for.")};
  }

  std::optional<ExecutionMode> phase() const {
    if (execution_phase == TransformPhase::all) return std::nullopt;
    return static_cast<ExecutionMode>(static_cast<int>(execution_phase) - 1);
  }

  static constexpr auto parts() {
    return std::tuple{Transforms{"transforms", "The changes, in their order."}};
  }
};

struct staging {
  static constexpr std::string_view name = "staging";
  static constexpr std::string_view summary =
      "Copies of data files on each node's own disk, made while training runs.";

  std::string local_dir;
  double limit = 0;
  std::int64_t streams = 16;

  static constexpr auto fields() {
    return std::tuple{
        field("local_dir", &staging::local_dir,
              "Folder for the copies, which is there on each node; `lbann-run --staging` names "
              "another one, or makes it.",
              Presence::required),
        field("limit", &staging::limit, "GB of copies on a node, at most; 0: no limit.",
              Presence::optional, "GB", Range{.least = 0, .most = most_staged_gigabytes}),
        field("streams", &staging::streams, "Files of a node that are copied at once.",
              Presence::optional, "", Range{.least = 1, .most = most_staging_streams})};
  }
};

struct data_coordinator {
  static constexpr std::string_view name = "data_coordinator";
  static constexpr std::string_view summary = "How samples come from the readers to the model.";

  LocalPrecision datatype = LocalPrecision::model_precision;
  std::string io_buffer = "partitioned";

  static constexpr auto fields() {
    return std::tuple{
        field("datatype", &data_coordinator::datatype,
              "Type the readers give samples in, `float` or `double`; `default` is the model's. "
              "An input layer converts them to its own."),
        ignored(field("io_buffer", &data_coordinator::io_buffer, "Kind of buffer."),
                "there is one kind of buffer")};
  }

  static constexpr auto parts() {
    return std::tuple{Part<PartForm::sections, transform_data_field>{
                          "transforms", "Changes of the samples of data fields."},
                      Part<PartForm::section, staging>{"staging", staging::summary}};
  }
};

struct mesh {
  static constexpr std::string_view name = "mesh";
  static constexpr std::string_view summary =
      "How the ranks of a trainer are arranged: data x rows x columns of them. Those along `data` "
      "share mini-batches, those along `rows` and `columns` the weights of model-parallel layers "
      "as "
      "well. What is left out is chosen such that the fewest bytes are sent; `lbann-run --mesh` "
      "says "
      "something else.";

  std::int64_t data = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  static constexpr auto fields() {
    constexpr Range any{.least = 0, .most = most_ranks};
    return std::tuple{
        field("data", &mesh::data, "Copies of the weights; 0: as fits.", Presence::optional,
              "ranks", any),
        field("rows", &mesh::rows, "Parts of weights along one of their dimensions; 0: as fits.",
              Presence::optional, "ranks", any),
        field("columns", &mesh::columns, "Parts along the other; 0: as fits.", Presence::optional,
              "ranks", any)};
  }
};

struct trainer {
  static constexpr std::string_view name = "trainer";
  static constexpr std::string_view summary = "How the model is trained.";

  std::int64_t mini_batch_size = 0;
  std::int64_t random_seed = 42;
  std::int64_t accumulate = 1;
  bool shard_updates = false;
  Recompute recompute = Recompute::none;
  std::string memory_limit;
  std::string name_;
  bool serialize_io = false;
  bool random_init_trainers_identically = false;
  std::int64_t hydrogen_block_size = 0;

  static constexpr auto fields() {
    return std::tuple{
        field("mini_batch_size", &trainer::mini_batch_size, "Samples of one step, over all ranks.",
              Presence::required, "samples", Range{.least = 1, .most = 1 << 30}),
        field("random_seed", &trainer::random_seed,
              "Start of all random numbers: initial weights, dropout, order of samples.",
              at_least_zero),
        field(
            "accumulate", &trainer::accumulate,
            "Micro-batches that a mini-batch is computed in, one after the other; their gradients "
            "are accumulated before weights are updated. Activations need the memory of one.",
            Presence::optional, "micro-batches", Range{.least = 1, .most = 1 << 30}),
        field(
            "shard_updates", &trainer::shard_updates,
            "Each rank keeps a part of the gradients and of the optimizer's state of matrices, and "
            "updates its part of them; weights stay whole (ZeRO, stages 1 and 2)."),
        field(
            "recompute", &trainer::recompute,
            "Activations that the backward pass computes again, which need no memory in between: "
            "`selective`, those that elementwise operations and normalisation make of others that "
            "are kept; "
            "`full`, all but those at the borders of segments of layers (activation "
            "checkpointing); `auto`, the first of `none`, `selective` and `full` with which a rank "
            "needs no more than `memory_limit`."),
        field("memory_limit", &trainer::memory_limit,
              "Memory that a rank may need, such as `24GiB` or `80 GB`. An experiment that needs "
              "more in a run of `--ranks` with `--mesh` and `--threads` is not compiled."),
        ignored(field("name", &trainer::name_, "Name of the trainer."), "there is one trainer"),
        ignored(field("serialize_io", &trainer::serialize_io, "Read samples one after the other."),
                "how samples are read changes no result; see `lbann-run --io-threads`"),
        unimplemented(field("random_init_trainers_identically",
                            &trainer::random_init_trainers_identically,
                            "Let all trainers begin with the same weights.")),
        field("hydrogen_block_size", &trainer::hydrogen_block_size,
              "Samples of a panel: products of model-parallel layers gather, multiply and scatter "
              "panel by panel, so that one is sent while another is multiplied; 0: all at once.",
              Presence::optional, "samples", at_least_zero)};
  }
};

struct amp {
  static constexpr std::string_view name = "amp";
  static constexpr std::string_view summary =
      "Automatic mixed precision. Layers of products (convolution, deconvolution, fully_connected, "
      "channelwise_fully_connected, embedding, matmul) store and multiply numbers of 16 bits; "
      "losses, softmax, layer_norm, rms_norm and norms those of the model's type; other layers the "
      "widest type of what they take. A layer's own `datatype` comes first. Weights, their "
      "gradients, statistics and all sums stay in the model's type.\n\n"
      "fp16 ends at 65504, and gradients are often below its least number, 6e-8: the objective is "
      "multiplied by the loss scale before gradients are computed, and gradients of weights are "
      "divided by it. In a step with a gradient that is not finite weights and moments keep their "
      "values, and the loss scale falls. bf16 has the range of float, and nothing is scaled.";

  bool enabled = true;
  NarrowPrecision type = NarrowPrecision::bfloat16;
  double init_scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;

  static constexpr auto fields() {
    return std::tuple{
        field("enabled", &amp::enabled, "Whether it is in use."),
        field("type", &amp::type, "The type of 16 bits."),
        field("init_scale", &amp::init_scale, "Loss scale of the first step, with fp16.",
              above_zero),
        field("growth_factor", &amp::growth_factor,
              "What the loss scale is multiplied by after `growth_interval` steps whose gradients "
              "are finite.",
              at_least_one),
        field("backoff_factor", &amp::backoff_factor,
              "What it is multiplied by after a step with a gradient that is not finite.",
              above_zero_to_one),
        field("growth_interval", &amp::growth_interval,
              "Steps with finite gradients, one after the other, before it grows.",
              Presence::optional, "steps", at_least_one)};
  }
};

struct model {
  static constexpr std::string_view name = "model";
  static constexpr std::string_view summary = "What is trained.";

  std::string name_ = "model";
  Precision datatype = Precision::single_precision;
  std::int64_t num_epochs = -1;
  DataLayout data_layout = DataLayout::data_parallel;
  bool sharded = false;
  ShardingStrategy sharding_strategy = ShardingStrategy::full;
  std::int64_t super_steps = 0;
  std::int64_t num_batches = 0;
  std::int64_t evaluation_frequency = 0;
  SubgraphCommunication subgraph_communication = SubgraphCommunication::pt2pt;
  bool enable_subgraph_topology = false;
  std::int64_t subgraph_parent_grid_resources = 0;
  bool disable_cuda = false;

  static constexpr auto fields() {
    constexpr std::string_view unread = "LBANN does not read it either";
    constexpr std::string_view whole = "it changes no result, and all ranks compute every layer";
    return std::tuple{
        field("name", &model::name_, "Name in log lines."),
        field("datatype", &model::datatype, "Type of activations and weights."),
        field("num_epochs", &model::num_epochs,
              "Passes over the training data, where the trainer has no `training_algorithm`.",
              Presence::optional, "epochs", at_least_zero),
        field("data_layout", &model::data_layout,
              "`model_parallel`: that of all layers whose weights can be split over the mesh."),
        field(
            "sharded", &model::sharded,
            "Whether ranks hold parts of all weights of two and more dimensions that neither say "
            "so themselves nor are those of a model-parallel layer. Biases and scales stay whole: "
            "each would cost a message that saves nothing."),
        field("sharding_strategy", &model::sharding_strategy,
              "Ranks that then hold different parts: see the one of `weights`."),
        ignored(field("super_steps", &model::super_steps, "Unused.", at_least_zero), unread),
        ignored(field("num_batches", &model::num_batches, "Unused.", at_least_zero), unread),
        ignored(
            field("evaluation_frequency", &model::evaluation_frequency, "Unused.", at_least_zero),
            unread),
        ignored(field("subgraph_communication", &model::subgraph_communication,
                      "How ranks of different sub-grids exchange tensors."),
                whole),
        ignored(field("enable_subgraph_topology", &model::enable_subgraph_topology,
                      "Place sub-grids by the topology of the machine."),
                whole),
        ignored(field("subgraph_parent_grid_resources", &model::subgraph_parent_grid_resources,
                      "Ranks of the grid that sub-grids are part of.", at_least_zero),
                whole),
        ignored(field("disable_cuda", &model::disable_cuda, "Compute on the CPU."),
                "the build of `lbann-run` decides where it computes")};
  }

  static constexpr auto parts() {
    return std::tuple{Part<PartForm::section, amp>{"amp", amp::summary}};
  }
};

/// Fields of every layer.
struct layer {
  static constexpr std::string_view name = "layer";
  static constexpr std::string_view summary = "What every layer has.";

  std::string name_;
  std::vector<std::string> parents;
  std::vector<std::string> children;
  std::vector<std::string> weights;
  std::string weights_of;
  std::string hint_layer;
  bool freeze = false;
  LayerPrecision datatype = LayerPrecision::model_precision;
  DataLayout data_layout = DataLayout::data_parallel;
  Device device_allocation = Device::automatic;
  std::int64_t grid_tag = -1;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &layer::name_, "Unique name; `<type>_<n>` if left out."),
        field("parents", &layer::parents,
              "Layers it takes its inputs from, `layer` or `layer.output`; the layer before it if "
              "left out."),
        field("children", &layer::children, "Layers that take its outputs, in their order."),
        field(
            "weights", &layer::weights,
            "Entries of `model: weights:` to use, or such entries themselves, in the order of the "
            "layer's roles."),
        field("weights_of", &layer::weights_of, "Layer whose weights this one uses."),
        field("hint_layer", &layer::hint_layer, "Layer whose output dims this one takes."),
        field("freeze", &layer::freeze, "Leave the layer's weights as they are."),
        field(
            "datatype", &layer::datatype,
            "Type it computes in, `float` or `double`: of its outputs and of the weights that it "
            "makes. What it reads is converted; `default` is the model's. `bf16`, `fp16`: outputs "
            "are stored and factors of products rounded to 16 bits, everything else is computed, "
            "sums are taken and weights kept in `float`."),
        field("data_layout", &layer::data_layout,
              "`model_parallel` splits the weights of a `fully_connected` or "
              "`channelwise_fully_connected` layer over the rows and columns of the mesh; layers "
              "without weights work on what they take as it is distributed."),
        ignored(field("device_allocation", &layer::device_allocation, "Where it is computed."),
                "the build of `lbann-run` decides where it computes"),
        ignored(field("grid_tag", &layer::grid_tag,
                      "Part of the ranks that computes it; -1: that of its parents.",
                      Range{.least = -1}),
                "it changes no result, and all ranks compute every layer")};
  }

  static constexpr auto parts() {
    return std::tuple{Part<PartForm::section, parallel_strategy>{"parallel_strategy",
                                                                 parallel_strategy::summary}};
  }
};

struct weights {
  static constexpr std::string_view name = "weights";
  static constexpr std::string_view summary = "Weights that layers use by name.";

  std::string name_;
  LocalPrecision datatype = LocalPrecision::model_precision;
  bool sharded = false;
  ShardingStrategy sharding_strategy = ShardingStrategy::full;

  static constexpr auto fields() {
    return std::tuple{
        field("name", &weights::name_, "Unique name.", Presence::required),
        field("datatype", &weights::datatype,
              "Type of them, their gradient and what the optimizer keeps, `float` or `double`; "
              "layers of another type read a converted copy. `default` is the model's."),
        field("sharded", &weights::sharded,
              "Whether each rank holds a part of their first dimension, of gradient and optimizer "
              "state, too; layers gather them where they need them."),
        field(
            "sharding_strategy", &weights::sharding_strategy,
            "Ranks that hold different parts: `full` all, `grid_rows` and `grid_cols` those along "
            "the rows or columns of the mesh.")};
  }
};

}  // namespace sections
}  // namespace lbann::compiler

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::Precision> =
    std::array<std::string_view, 2>{"float", "double"};

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::LocalPrecision> =
    std::array<std::string_view, 6>{"default", "float",         "double",
                                    "fp16",    "complex_float", "complex_double"};

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::NarrowPrecision> =
    std::array<std::string_view, 2>{"bf16", "fp16"};

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::LayerPrecision> =
    std::array<std::string_view, 7>{"default", "float",         "double",        "bf16",
                                    "fp16",    "complex_float", "complex_double"};

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::TransformPhase> =
    std::array<std::string_view, 5>{"all", "train", "validate", "test", "tournament"};

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::SubgraphCommunication> =
    std::array<std::string_view, 3>{"pt2pt", "coll", "coll_opt"};

template <>
inline constexpr auto lbann::enum_names<lbann::compiler::ShardingStrategy> =
    std::array<std::string_view, 3>{"full", "grid_rows", "grid_cols"};
