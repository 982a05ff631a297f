// The form of a layer's declaration: fields, parents, weights, shapes, and what it is in operators.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "compiler/declarations/dims.hpp"
#include "compiler/declarations/preset.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// How many parents or children a layer takes; `most` -1: any number.
struct Arity {
  int least = 1, most = 1;
};

/// One weights object a layer uses, in the order of its `weights` field.
struct WeightsRole {
  std::string suffix;  ///< of the default name: `<layer>_kernel`
  Dims dims;
  Preset initializer;              ///< where the user gives none
  double fan_in = 0, fan_out = 0;  ///< for variance scaling; 0: not defined
  /// Number of trailing dims that are the width of LBANN's matrix, the leading ones being its
  /// height: lists of values fill it column by column, values[row + height * column]. With 0 they
  /// fill the dims in C order.
  std::size_t width_dims = 0;
  std::optional<Preset> optimizer = {};  ///< instead of the one that the experiment gives
  bool trained = true;                   ///< no: it has no optimizer, whatever the experiment says
  /// Dims are [inputs, outputs] of a linear map; other programs keep [outputs, inputs].
  bool inputs_first = false;
  bool columns_first = false;  ///< dims are [width, height]: the columns one after the other
  /// The layer also takes its matrix from one that keeps the columns first, see
  /// `LoweringContext::weights_dims`.
  bool either_order = false;
};

/// What a layer's shape rule sees, and how it reports what is wrong.
struct LayerContext {
  std::string_view name;  ///< of the layer
  Declaration const& declaration;
  std::vector<Dims> const& inputs;
  std::size_t children = 1;        ///< number of outputs asked for
  std::optional<Dims> given_dims;  ///< input: dims of its data field; otherwise of the hint layer
  Report& collected;               ///< where diagnostics go
  std::function<void(Diagnostic&)> explain;  ///< adds how it came to a diagnostic
  /// Of each weights object that the layer names: how a layer before it uses it, if one does.
  std::vector<std::optional<WeightsRole>> given_weights = {};
  bool in_objective = false;  ///< evaluation: it stands for a term of the objective, not a metric

  /// Adds a diagnostic at `field` (or at the layer if empty or left to its default).
  Diagnostic& report(DiagnosticInfo const& info, std::string_view field,
                     std::vector<std::string> arguments) const;
};

/// What `lower` is given: the layer's tensors in the program of one entry point.
class LoweringContext {
 public:
  virtual ~LoweringContext() = default;

  virtual bool training() const = 0;  ///< the entry point is `train`
  virtual bool frozen() const = 0;    ///< the user wrote `freeze` at the layer
  virtual DataType type() const = 0;  ///< computed in; of outputs, if they are not of 16 bits
  virtual std::size_t input_count() const = 0;
  virtual TensorId input(std::size_t index) = 0;  ///< [batch, dims...]
  virtual Dims const& input_dims(std::size_t index) const = 0;
  virtual std::size_t output_count() const = 0;
  virtual Dims const& output_dims(std::size_t index) const = 0;
  virtual std::size_t weights_count() const = 0;
  virtual TensorId weights(std::size_t role) = 0;
  virtual Dims const& weights_dims(std::size_t role) const = 0;   ///< as they are stored
  virtual TensorId field_input(std::string_view data_field) = 0;  ///< for the input layer
  virtual std::int64_t key(
      std::string_view purpose) const = 0;  ///< stable hash of layer name and purpose, for `random`
  /// The f64 scalar of a field of the layer that a callback changes; an invalid id for others.
  virtual TensorId hyperparameter(std::string_view field) const = 0;
  virtual TensorId seed() const = 0;
  virtual TensorId step() const = 0;
  virtual TensorId first_sample() const = 0;
  virtual TensorId mini_batch() const = 0;  ///< samples of the mini-batch on all ranks, f64 scalar
  virtual std::int64_t full_mini_batch() const = 0;  ///< the most there can be
  /// After each step of training weights `role`, which are not trained, become `expression` of
  /// themselves and `inputs`, computed in f64. In other entry points they stay as they are.
  virtual void update(std::size_t role, Expression expression, std::vector<TensorId> inputs) = 0;
  /// Adds an instruction; gives its outputs. A rule violated here is a fault of ours.
  virtual std::vector<TensorId> emit(Operator op, std::vector<TensorId> inputs) = 0;
  /// A map of those `inputs` that `expression` reads, with the shape that all of them broadcast to
  /// or `shape` if given, of `type()`.
  virtual TensorId map(Expression expression, std::vector<TensorId> inputs,
                       std::optional<Shape> shape = {}) = 0;
  virtual TensorId reshape(TensorId tensor,
                           Shape shape) = 0;  ///< gives `tensor` itself if it has that shape
  /// Declares output `index` to be `tensor` (reshaped to [batch, dims...] if need be).
  virtual void output(std::size_t index, TensorId tensor) = 0;
  /// Declares an evaluation layer's value: a f64 scalar, the sum over samples and entries.
  virtual void measure(TensorId scalar) = 0;
};

/// The family of layers that compare what a model computes with what it should.
inline constexpr std::string_view losses_family = "Losses and accuracies";

/// What the entries of an output are, as far as a loss must know.
enum class Values : std::uint8_t {
  any,            ///< nobody knows
  as_input,       ///< what the first input is
  scores,         ///< any numbers, which no probabilities are meant to be
  probabilities,  ///< from 0 to 1
  logarithms      ///< of probabilities
};

/// The type of a layer under automatic mixed precision, as LBANN's `enable_amp` chooses it.
enum class InMixedPrecision : std::uint8_t {
  as_inputs,  ///< the widest of its inputs
  narrow,     ///< of 16 bits: its products take most of the time
  wide        ///< the model's: sums over many entries, or what exponentials give
};

/// The smallest use of a layer, as its reference page shows it and a test compiles it.
struct LayerExample {
  std::string_view inputs;        ///< names and dims of input layers before it: `x=3x8x8 y=3`
  std::string_view entries;       ///< of the list of layers, in YAML: `- softmax: {parents: x}`
  std::string_view weights = {};  ///< name of an entry of the model's weights that they share
};

// A declaration is a struct in `compiler/layers/<folder>/<name>.hpp`/.cpp:
//
//     struct softmax {
//       static constexpr std::string_view name = "softmax";
//       static constexpr std::string_view summary = "Scores to probabilities.";
//       static constexpr std::string_view shapes = "x [n...] -> y [n...]";
//       static constexpr std::string_view formula = "y[i] = exp(x[i]) / sum over j: exp(x[j])";
//       static constexpr LayerExample example{"x=10", "- softmax: {parents: x}"};
//       static constexpr Arity parents{1, 1}, children{1, 1};
//       static constexpr auto fields() { return std::tuple<>{}; }
//
//       // Dims of each output; nothing: reported.
//       std::optional<std::vector<Dims>> output_dims(LayerContext const& context) const;
//       // Only where there are any; called after output_dims.
//       std::vector<WeightsRole> weights(LayerContext const& context) const;
//       void lower(LoweringContext& lowering) const;
//
//       // What follows is left out by most layers.
//       // The number of outputs, where fields say it.
//       std::size_t pieces() const;
//       // Name of the data field that the layer brings into the model: a member of that name.
//       std::string data_field;
//       // With `hint_layer`: the layer with what it takes from that one. Nothing: that is of no
//       // use to it.
//       std::optional<softmax> completed_by(Declaration const& own,
//                                           Declaration const& hint) const;
//       // Dims that its input must have as far as its fields say; with them infer_shapes guesses
//       // those of a data field that no reader knows.
//       std::optional<Dims> input_dims_from_fields() const;
//       // Both inputs have the same dims, for the same guess.
//       bool compares_inputs() const;
//       // True: only passes make such layers, no user writes one.
//       static constexpr bool inserted_only;
//       // True: its output is a term of the objective or a metric (LoweringContext::measure).
//       static constexpr bool measures;
//       // True: it takes an output that nothing needs.
//       static constexpr bool discards_input;
//       // True: `data_layout: model_parallel` splits its weights over the ranks of the mesh.
//       static constexpr bool distributes_weights;
//       // What becomes of its type under `model: amp`; as its inputs, if left out.
//       static constexpr InMixedPrecision in_mixed_precision;
//       // False: `hint_layer` does not name a layer of equal output dims.
//       static constexpr bool has_dims_of_hint;
//       // What its outputs are; any values, if left out.
//       static constexpr Values gives;
//       // Its first input is a prediction of these values, its second the truth.
//       static constexpr Values compares;
//       // The layer that makes these of scores.
//       static constexpr std::string_view made_of_scores_by;
//       // Numbers of a sample of these dims that share a mean over the mini-batch.
//       static std::int64_t numbers_with_one_mean(Dims const& dims);
//     };
//
// Layers that are one expression of their inputs (`elementwise`) need no shapes, formula and
// example: these follow from it.

/// A layer type without its C++ type; `compiler/layers/meson.build` lists them all. Functions take
/// an object of the C++ type as `layer`; the defaults hold for layers that do not declare them.
struct LayerType {
  DeclarationType declaration;
  std::string_view family;  ///< heading under which it stands in the list
  std::string_view shapes;  ///< of inputs and outputs; empty where `expression` is given
  LayerExample example;     ///< without entries for layers that users cannot write
  Arity parents, children;
  bool inserted_only = false, measures = false, discards_input = false, has_dims_of_hint = true;
  bool distributes_weights = false;  ///< `data_layout: model_parallel` splits them
  InMixedPrecision in_mixed_precision = InMixedPrecision::as_inputs;
  Values gives = Values::any;
  std::optional<Values> compares = {};      ///< nothing: its inputs are no prediction and truth
  std::string_view made_of_scores_by = {};  ///< the layer that turns scores into what it compares
  std::int64_t (*numbers_with_one_mean)(Dims const& dims) = nullptr;

  std::optional<std::vector<Dims>> (*output_dims)(void const* layer,
                                                  LayerContext const& context) = nullptr;
  std::vector<WeightsRole> (*weights)(void const* layer, LayerContext const& context) =
      [](void const*, LayerContext const&) { return std::vector<WeightsRole>{}; };
  void (*lower)(void const* layer, LoweringContext& lowering) = nullptr;
  /// Number of outputs where fields tell it, for layers with several.
  std::optional<std::size_t> (*pieces)(void const* layer) = [](void const*) {
    return std::optional<std::size_t>{};
  };
  /// The one expression of entries at the same place that the layer is; null for other layers.
  Expression (*expression)(void const* layer, DataType computed_in) = nullptr;
  /// Name of the data field that it brings into the model; null for other layers.
  std::string const* (*data_field)(void const* layer) = [](void const*) {
    return static_cast<std::string const*>(nullptr);
  };
  /// The layer `own` completed by what it takes from its hint layer; null if that is nothing.
  std::shared_ptr<void const> (*completed_by)(Declaration const& own, Declaration const& hint) =
      [](Declaration const&, Declaration const&) { return std::shared_ptr<void const>{}; };
  std::optional<Dims> (*input_dims_from_fields)(void const* layer) = [](void const*) {
    return std::optional<Dims>{};
  };
  bool (*compares_inputs)(void const* layer) = [](void const*) { return false; };
};

/// The entry of `T` in the table of layers.
template <class T>
LayerType layer_type(std::string_view family) {
  LayerType type;
  type.declaration = declaration_type<T>();
  type.family = family;
  type.parents = T::parents;
  type.children = T::children;
  type.output_dims = [](void const* layer, LayerContext const& context) {
    return static_cast<T const*>(layer)->output_dims(context);
  };
  type.lower = [](void const* layer, LoweringContext& lowering) {
    static_cast<T const*>(layer)->lower(lowering);
  };
  if constexpr (requires { T::shapes; }) type.shapes = T::shapes;
  if constexpr (requires { T::example; }) type.example = T::example;
  if constexpr (requires { T::inserted_only; }) type.inserted_only = T::inserted_only;
  if constexpr (requires { T::measures; }) type.measures = T::measures;
  if constexpr (requires { T::discards_input; }) type.discards_input = T::discards_input;
  if constexpr (requires { T::in_mixed_precision; })
    type.in_mixed_precision = T::in_mixed_precision;
  if constexpr (requires { T::distributes_weights; })
    type.distributes_weights = T::distributes_weights;
  if constexpr (requires { T::has_dims_of_hint; }) type.has_dims_of_hint = T::has_dims_of_hint;
  if constexpr (requires { T::gives; }) type.gives = T::gives;
  if constexpr (requires { T::compares; }) type.compares = T::compares;
  if constexpr (requires { T::made_of_scores_by; }) type.made_of_scores_by = T::made_of_scores_by;
  if constexpr (requires { &T::numbers_with_one_mean; })
    type.numbers_with_one_mean = &T::numbers_with_one_mean;
  if constexpr (requires { &T::weights; })
    type.weights = [](void const* layer, LayerContext const& context) {
      return static_cast<T const*>(layer)->weights(context);
    };
  if constexpr (requires { &T::pieces; })
    type.pieces = [](void const* layer) {
      return std::optional<std::size_t>(static_cast<T const*>(layer)->pieces());
    };
  if constexpr (requires(T const& layer) { layer.expression(DataType::f32); })
    type.expression = [](void const* layer, DataType computed_in) {
      return static_cast<T const*>(layer)->expression(computed_in);
    };
  if constexpr (requires { &T::data_field; })
    type.data_field = [](void const* layer) { return &static_cast<T const*>(layer)->data_field; };
  if constexpr (requires { &T::completed_by; })
    type.completed_by = [](Declaration const& own, Declaration const& hint) {
      auto completed = own.as<T>().completed_by(own, hint);
      return completed ? std::shared_ptr<void const>(std::make_shared<T const>(*completed))
                       : nullptr;
    };
  if constexpr (requires { &T::input_dims_from_fields; })
    type.input_dims_from_fields = [](void const* layer) {
      return static_cast<T const*>(layer)->input_dims_from_fields();
    };
  if constexpr (requires { &T::compares_inputs; })
    type.compares_inputs = [](void const* layer) {
      return static_cast<T const*>(layer)->compares_inputs();
    };
  return type;
}

/// All layer types, made once in `main` and passed on; looked up by name.
class LayerTypes {
 public:
  LayerTypes();
  LayerType const* find(std::string_view name) const;
  std::vector<LayerType const*> all() const;  ///< by name
  std::vector<std::string_view> const& families() const { return families_; }

 private:
  std::vector<LayerType> types_;
  std::vector<std::string_view> families_;  ///< in the order of the list
};

}  // namespace lbann::compiler
