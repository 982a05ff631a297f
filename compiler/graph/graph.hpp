// The graph of layers, as the user wrote it and as passes complete it.
#pragma once

#include <string>
#include <vector>

#include "compiler/experiment/experiment.hpp"
#include "compiler/initializers/initializer.hpp"
#include "compiler/layers/layer.hpp"
#include "compiler/optimizers/optimizer.hpp"

namespace lbann::compiler {

/// Output `output` of `layer`, as an input of another.
struct Edge {
  /// The layer has several outputs and the user named none; settled by `insert_identity_layers`.
  static constexpr std::uint32_t unnamed = 0xffffffff;

  LayerId layer;
  std::uint32_t output = 0;
  Span span;  ///< where the user named it
  friend bool operator==(Edge const& a, Edge const& b) {
    return a.layer == b.layer && a.output == b.output;
  }
};

struct GraphLayer {
  std::string name;
  LayerType const* type = nullptr;
  Declaration declaration;
  std::vector<Edge> parents;
  /// Child k takes output k, or output 0 if there is one output only. After
  /// `insert_identity_layers` an output nobody takes yet has no valid id.
  std::vector<LayerId> children;
  std::vector<Name> weights_names;  ///< as the user gave them
  std::optional<Name> weights_of;   ///< layer whose weights this one uses
  bool shares_as_part = false;      ///< as part of a module, maybe without weights of its own
  std::vector<WeightsId> weights;   ///< after `resolve_weights`
  std::optional<LayerId> hint;
  bool freeze = false;
  bool recompute = false;
  std::optional<Span> model_parallel;  ///< where that is said: its weights are split over the mesh
  std::optional<DataType> datatype;    ///< none: the model's
  std::string calls;                   ///< of modules that wrote it, see `LayerEntry`
  std::string inserted_by;             ///< name of the pass, empty for the user's own
  Span span;
  std::vector<Dims> outputs;  ///< after `infer_shapes`
};

struct GraphWeights {
  std::string name;
  Dims dims;
  Declaration initializer, optimizer;  ///< no optimizer: not trained
  double fan_in = 0, fan_out = 0;
  std::size_t width_dims = 0;        ///< trailing dims that are the width of LBANN's matrix
  bool inputs_first = false;         ///< dims are [inputs, outputs] of a linear map
  std::optional<DataType> datatype;  ///< none: the model's
  std::vector<std::string> shards;  ///< mesh axes that split its first dim; none: as the model says
  Span span;
};

/// An objective's term or a metric after evaluation layers stand for them.
struct EvaluationTerm {
  LayerId evaluation;
  double scale_factor = 1;
  Span span;
};
struct Regularization {
  double scale_factor = 1;
  std::vector<WeightsId> weights;
  std::vector<Name> names;  ///< as the user gave them; empty: all that are trained
  Span span;
};
struct GraphMetric {
  std::string name, unit;
  LayerId layer, evaluation;
  Span span;
};
struct ObjectiveLayer {
  LayerId layer;
  double scale_factor = 1;
  Span span;
};

struct Graph {
  std::vector<GraphLayer>
      layers;  ///< in order of the text, inserted ones at the end, until `order_layers`
  std::vector<GraphWeights> weights;
  std::vector<ObjectiveLayer> objective;  ///< until `insert_evaluation_layers`
  std::vector<EvaluationTerm> objective_terms;
  std::vector<Regularization> regularizations;
  std::vector<GraphMetric> metrics;

  GraphLayer& operator[](LayerId id) { return layers[id.index()]; }
  GraphLayer const& operator[](LayerId id) const { return layers[id.index()]; }
};

/// Whether layers of this type have more outputs than one, to be told apart by number.
inline bool has_numbered_outputs(LayerType const& type) { return type.children.most == -1; }

/// Whether a data field is what a model is to give, rather than what it takes.
inline bool is_target(std::string_view data_field) {
  return data_field == "labels" || data_field == "responses";
}

/// Name of the data field that `layer` brings into the model; null for other layers.
inline std::string const* data_field_of(GraphLayer const& layer) {
  return layer.type->data_field(layer.declaration.object.get());
}

/// `graph` as text, one line per layer, weights, term and metric; `parse_graph` gives back an equal
/// graph but for spans.
std::string to_text(Graph const& graph);

/// The graph a text tells of, or the number of the first line that is not one and why.
Result<Graph> parse_graph(std::string_view text, LayerTypes const& layers,
                          InitializerTypes const& initializers, OptimizerTypes const& optimizers);

}  // namespace lbann::compiler
