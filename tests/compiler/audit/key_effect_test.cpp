// Every field of every declaration, and every choice of it, changes what a plan means, or is on a
// short list that says why not, or a note tells the user: no key is accepted and not used.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"
#include "compiler/experiment/sections.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using Table = std::map<std::string, std::string, std::less<>>;

/// What an entry needs to be valid: its required fields and those that let others matter.
Table const needed = {
    {"convolution", "out_channels: 4, kernel_size: 3"},
    {"fully_connected", "num_neurons: 3"},
    {"pooling", "pool_dims: 2"},
    {"unpooling", "pool_dims: 1"},
    {"reshape", "dims: [4, 36]"},
    {"channelwise_fully_connected", "output_channel_dims: [5]"},
    {"deconvolution", "out_channels: 4, kernel_size: 3, stride: 2, dilation: 2"},
    {"gru", "hidden_size: 12"},
    {"external", "filename: a.so, layer_name: l, dims: [3]"},
    {"scale", "constant: 2"},
    {"add_constant", "constant: 2"},
    {"subtract_constant", "constant: 2"},
    {"constant_subtract", "constant: 2"},
    {"max_constant", "constant: 2"},
    {"min_constant", "constant: 2"},
    {"equal_constant", "constant: 2"},
    {"not_equal_constant", "constant: 2"},
    {"less_constant", "constant: 2"},
    {"less_equal_constant", "constant: 2"},
    {"greater_constant", "constant: 2"},
    {"greater_equal_constant", "constant: 2"},
    {"select", "value: 1, constant_if_true: true, constant_if_false: true, value_if_false: 3"},
    {"weighted_sum", "scaling_factors: [2]"},
    {"constant", "num_neurons: [3]"},
    {"embedding", "num_embeddings: 5, embedding_dim: 3"},
    {"dist_embedding", "num_embeddings: 5, embedding_dim: 3, sparse_sgd: true, learning_rate: 0.5"},
    {"scatter", "dims: [4, 6, 6], axis: 1"},
    {"one_hot", "size: 3"},
    {"in_top_k", "k: 3"},
    {"crop", "dims: [4]"},
    {"tessellate", "dims: [4, 6, 9]"},
    {"tensor_permute", "axes: [0, 2, 1]"},
    {"upsample", "scale_factors: [2]"},
    {"gaussian", "neuron_dims: [3]"},
    {"uniform", "neuron_dims: [3]"},
    {"bernoulli", "neuron_dims: [3]"},
    {"discrete_random", "values: [3], dims: [3]"},
    {"bilinear_resize", "height: 3, width: 3"},
    {"multidim_reduction", "axes: [1]"},
    {"slice", "slice_points: [0, 2]"},
    {"top_k_categorical_accuracy", "k: 1"},
    {"weights_layer", "dims: [3]"},
    {"input", "data_field: samples"},
    {"digits", "role: train, num_samples: 16, size: 8"},
    {"synthetic", "role: train, num_samples: 16, synth_dimensions: [1, 8, 8], num_labels: 10"},
    {"mnist",
     "role: train, data_filename: a, label_filename: b, fields: {samples: {dims: [1, 8, 8]}}"},
    {"numpy",
     "role: train, data_filename: a, label_filename: b, num_labels: 10, fields: {samples: "
     "{dims: [1, 8, 8]}}"},
    {"numpy_npz",
     "role: train, data_filename: a, num_labels: 10, fields: {samples: {dims: [1, 8, 8]}}"},
    {"python",
     "role: train, module: m, data_fields: [samples, labels], fields: {samples: {dims: [1, 8, 8]}, "
     "labels: {dims: [10]}}"},
    {"cifar10", "role: train"},
    {"text", "role: train, data_filenames: [a], sequence_length: 64, vocabulary: abc"},
    {"csv", "role: train, data_filename: a, num_labels: 10, fields: {samples: {dims: [64]}}"},
    {"sgd", "learn_rate: 0.5, momentum: 0.5"},
    {"adam", "learn_rate: 0.5"},
    {"adagrad", "learn_rate: 0.5"},
    {"rmsprop", "learn_rate: 0.5"},
    {"hypergradient_adam", "init_learning_rate: 0.5"},
    {"layer_term", "layer: loss"},
    {"l2_weight_regularization", "scale_factor: 0.5"},
    {"layer_metric", "layer: loss"},
    {"executable_metric", "name: n, filename: judge"},
    {"python_metric", "module: judge"},
    {"step_learning_rate", "step: 2, amt: 0.5"},
    {"set_learning_rate", "step: 2, val: 0.5"},
    {"adaptive_learning_rate", "amt: 0.5"},
    {"drop_fixed_learning_rate", "drop_epoch: [1], amt: 0.5"},
    {"linear_growth_learning_rate", "target: 0.5, num_epochs: 2"},
    {"poly_learning_rate", "power: 2"},
    {"cosine_decay_learning_rate", "lr_max: 0.5, lr_min: 0.1, decay_steps: 5"},
    {"optimizerwise_adaptive_learning_rate", "scale: 0.5"},
    {"step_minibatch", "starting_mbsize: 3, step: 2"},
    {"minibatch_schedule", "starting_mbsize: 3, step: [{epoch: 2, mbsize: 4}]"},
    {"clip_gradient_norm", "value: 0.5"},
    {"alternate_updates", "layers_1: [c], layers_2: [p]"},
    {"early_stopping", "patience: 2"},
    {"set_weights_value", "weights: [c_kernel]"},
    {"perturb_weights", "output_name: c_kernel, upper: 5"},
    {"compute_model_size", "output_name: c_kernel"},
    {"replace_weights", "source_layers: [c], destination_layers: [t]"},
    {"load_model", "dirs: [a]"},
    {"save_model", "dir: a"},
    {"check_metric", "metric: measured, lower_bound: 0, upper_bound: 9"},
    {"confusion_matrix", "prediction: q, label: y"},
    {"dump_weights", "directory: a"},
    {"value_initializer", "values: [1, 2, 3]"},
    {"numpy_initializer", "file: a.npy"},
};

/// Parents where one with dims [4, 6, 6] does not do.
Table const parents = {
    {"cross_entropy", "parents: [other, other]"},
    {"covariance", "parents: [c, c]"},
    {"categorical_accuracy", "parents: [q, y]"},
    {"top_k_categorical_accuracy", "parents: [q, y]"},
    {"mean_squared_error", "parents: [c, c]"},
    {"add", "parents: [c, c]"},
    {"subtract", "parents: [c, c]"},
    {"multiply", "parents: [c, c]"},
    {"concatenation", "parents: [c, c]"},
    {"unpooling", "parents: [c, c]"},
    {"matmul", "parents: [c, c]"},
    {"gru", "parents: [rows, row]"},
    {"scaled_dot_product_attention", "parents: [rows, rows, rows]"},
    {"gather", "parents: [c, p]"},
    {"scatter", "parents: [c, six]"},
    {"one_hot", "parents: other"},
    {"crop", "parents: [q, other]"},
    {"discrete_random", "parents: other"},
    {"gaussian", ""},
    {"uniform", ""},
    {"bernoulli", ""},
    {"input", ""},
    {"weights_layer", ""},
    {"constant", ""},
};

/// Other values than the kind of the field alone suggests.
Table const changed = {
    {"convolution.out_channels", "8"},
    {"convolution.kernel_size", "2"},
    {"convolution.stride", "2"},
    {"convolution.padding", "1"},
    {"convolution.dilation", "2"},
    {"convolution.groups", "2"},
    {"deconvolution.out_channels", "8"},
    {"deconvolution.kernel_size", "2"},
    {"deconvolution.stride", "3"},
    {"deconvolution.padding", "1"},
    {"deconvolution.dilation", "3"},
    {"deconvolution.groups", "2"},
    {"deconvolution.output_padding", "1"},
    {"scaled_dot_product_attention.num_heads", "2"},
    {"numpy_npz.role", "test"},
    {"python.role", "test"},
    {"text.role", "test"},
    {"csv.role", "test"},
    {"csv.response_col", "3"},
    {"csv.separator", "';'"},
    {"cifar10.role", "test"},
    {"text.sequence_length", "128"},
    {"text.data_filenames", "[b]"},
    {"pooling.pool_dims", "3"},
    {"pooling.pool_strides", "1"},
    {"pooling.pool_pads", "1"},
    {"reshape.dims", "[36, 4]"},
    {"dist_embedding.sparse_sgd", "false"},
    {"scatter.dims", "[4, 9, 6]"},
    {"scatter.axis", "2"},
    {"tessellate.dims", "[4, 6, 7]"},
    {"tensor_permute.axes", "[1, 0, 2]"},
    {"upsample.scale_factors", "[3]"},
    {"channelwise_softmax.dim", "2"},
    {"slice.slice_points", "[0, 1]"},
    {"weights_layer.dims", "[4]"},
    {"constant.num_neurons", "[4]"},
    {"weighted_sum.scaling_factors", "[3]"},
    {"input.data_field", "labels"},
    {"layer_term.layer", "other"},
    {"layer_metric.layer", "other"},
    {"l2_weight_regularization.weights", "[c_kernel]"},
    {"step_learning_rate.weights", "[c_kernel]"},
    {"set_learning_rate.weights", "[c_kernel]"},
    {"adaptive_learning_rate.weights", "[c_kernel]"},
    {"drop_fixed_learning_rate.weights", "[c_kernel]"},
    {"linear_growth_learning_rate.weights", "[c_kernel]"},
    {"poly_learning_rate.weights", "[c_kernel]"},
    {"cosine_decay_learning_rate.weights", "[c_kernel]"},
    {"perturb_learning_rate.weights", "[c_kernel]"},
    {"optimizerwise_adaptive_learning_rate.weights", "[c_kernel]"},
    {"clip_gradient_norm.weights", "[c_kernel]"},
    {"alternate_updates.layers_1", "[c, p]"},
    {"alternate_updates.layers_2", "[c, p]"},
    {"set_weights_value.weights", "[c_bias]"},
    {"perturb_weights.output_name", "c_bias"},
    {"compute_model_size.output_name", "c_bias"},
    {"replace_weights.source_layers", "[t]"},
    {"replace_weights.destination_layers", "[c]"},
    {"layer.name", "renamed"},
    {"layer.parents", "x"},
    {"layer.weights", "[w]"},
    {"layer.weights_of", "c"},
    {"layer.datatype", "double"},
    {"weights.datatype", "double"},
    {"data_coordinator.datatype", "double"},
    {"digits.role", "test"},
    {"synthetic.role", "test"},
    {"synthetic.num_samples", "8"},
    {"mnist.role", "test"},
    {"numpy.role", "test"},
    {"synthetic.synth_dimensions", "[1, 8, 9]"},
    {"check_metric.metric", "second"},
    {"check_metric.execution_modes", "[test]"},
    {"check_gradients.execution_modes", "[test]"},
    {"dump_outputs.execution_modes", "[test]"},
    {"dump_outputs.layers", "[c]"},
    {"confusion_matrix.prediction", "p"},
    {"confusion_matrix.label", "q"},
    {"value_initializer.values", "[1, 2, 4]"},
};

/// Whole entries, where a field cannot be changed alone; `{}` is its value.
Table const instead = {
    {"gru.hidden_size", "gru: {name: t, parents: [rows, narrow], hidden_size: 4}"},
    {"gru.num_layers", "gru: {name: t, parents: [rows, pair], hidden_size: 12, num_layers: 2}"},
    {"unpooling.pool_dims",
     "unpooling: {name: t, parents: [c, c], pool_dims: 3, pool_strides: 1, pool_pads: 1}"},
    {"unpooling.pool_strides",
     "unpooling: {name: t, parents: [c, c], pool_dims: 6, pool_strides: 2, pool_pads: 5}"},
    {"unpooling.pool_pads",
     "unpooling: {name: t, parents: [c, c], pool_dims: 5, pool_strides: 1, pool_pads: 2}"},
    {"python.data_fields",
     "python: {role: train, module: m, data_fields: [samples, labels, more], fields: {samples: "
     "{dims: "
     "[1, 8, 8]}, labels: {dims: [10]}, more: {dims: [1]}}}"},
    {"csv.disable_responses",
     "csv: {role: train, data_filename: a, num_labels: 10, disable_responses: false, response_col: "
     "3, "
     "fields: {samples: {dims: [64]}}}"},
    {"text.symbol", "text: {role: train, data_filenames: [a], sequence_length: 64, symbol: byte}"},
    {"text.vocabulary_filenames",
     "text: {role: train, data_filenames: [a], sequence_length: 64, vocabulary_filenames: {}}"},
    {"numpy.disable_labels",
     "numpy: {role: train, data_filename: a, disable_labels: false, num_labels: 10, "
     "fields: {samples: {dims: [1, 8, 8]}}}"},
};

/// Fields that change nothing, each with its reason.
Table const inert_keys = {
    {"convolution.num_dims", "a check: it must equal the input's number of spatial axes"},
    {"pooling.num_dims", "a check: it must equal the input's number of spatial axes"},
    {"unpooling.num_dims", "a check: it must equal the input's number of spatial axes"},
    {"deconvolution.num_dims", "a check: it must equal the input's number of spatial axes"},
    {"batch_normalization.statistics_group_size",
     "statistics are those of the whole mini-batch, and a warning says so"},
    {"select.constant_if_true", "it tells how many parents there are, too"},
    {"select.constant_if_false", "it tells how many parents there are, too"},
    {"upsample.num_dims", "a check: it must equal the input's number of spatial axes"},
    {"upsample.upsample_mode", "there is one"},
    {"layer.hint_layer", "a check: the layer's dims must equal the other's"},
    {"layer.children", "says once more what the parents of the children say"},
};

struct Parts {
  std::string reader = "- digits: {role: train, num_samples: 16, size: 8}";
  std::string second_reader = "\n  - digits: {role: validate, num_samples: 8, size: 8}";
  std::string layer = "- relu: {name: t, parents: c}";
  std::string trainer = "mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 2}}";
  std::string model, weights, term, metric, callback;
  std::string optimizer = "sgd: {learn_rate: 0.1}";
  bool flat = false;     ///< samples are no images
  bool labelled = true;  ///< there are labels
  bool measured = true;  ///< the layer has an output for the objective
};

std::string experiment(Parts const& parts) {
  std::string text = "trainer: {" + parts.trainer + "}\ndata_reader:\n  " + parts.reader +
                     parts.second_reader + "\nmodel:\n" + parts.model +
                     "  layers:\n"
                     "    - input: {name: samples, data_field: samples}\n" +
                     (parts.flat ? "    - reshape: {name: x, dims: [1, -1, 8]}\n"
                                 : "    - identity: {name: x}\n") +
                     (parts.labelled ? "    - input: {name: y, data_field: labels}\n" : "") +
                     "    - convolution: {name: c, parents: x, out_channels: 4, kernel_size: 3}\n"
                     "    - fully_connected: {name: six, parents: x, num_neurons: 6}\n"
                     "    - fully_connected: {name: p, parents: x, num_neurons: 10}\n"
                     "    - softmax: {name: q}\n"
                     "    - weights_layer: {name: rows, dims: [12, 12]}\n"
                     "    - slice: {name: row, parents: rows, slice_points: [0, 1]}\n"
                     "    - slice: {name: pair, parents: rows, slice_points: [0, 2]}\n"
                     "    - slice: {name: narrow, parents: row, axis: 1, slice_points: [0, 4]}\n"
                     "    " +
                     parts.layer + "\n";
  text += "    - l2_norm2: {name: loss, parents: " + std::string(parts.measured ? "t" : "c") +
          "}\n" +
          "    - l2_norm2: {name: other, parents: c}\n  objective_function:\n"
          "    - layer_term: {layer: loss}\n";
  if (!parts.term.empty()) text += "    " + parts.term + "\n";
  if (!parts.metric.empty()) text += "  metrics:\n    " + parts.metric + "\n";
  if (!parts.callback.empty()) text += "  callbacks:\n    " + parts.callback + "\n";
  if (!parts.weights.empty()) text += "  weights:\n    " + parts.weights + "\n";
  return text + "optimizer: {" + parts.optimizer + "}\n";
}

/// `a: 1, b: [2, 3]` cut at its commas, not at those in brackets.
std::vector<std::string> pieces_of(std::string const& body) {
  std::vector<std::string> pieces;
  int depth = 0;
  std::string piece;
  for (char const c : body) {
    depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0) {
      pieces.push_back(std::move(piece));
      piece.clear();
    } else if (c != ' ' || !piece.empty()) {
      piece += c;
    }
  }
  if (!piece.empty()) pieces.push_back(std::move(piece));
  return pieces;
}

/// `type: {...}` with `more`, what the type needs, and `field` as `value`.
std::string entry(std::string_view type, std::string const& more, std::string_view field,
                  std::string const& value) {
  auto pieces = pieces_of(more);
  if (auto const found = needed.find(type); found != needed.end())
    for (auto& piece : pieces_of(found->second))
      if (field.empty() || !piece.starts_with(std::string(field) + ":"))
        pieces.push_back(std::move(piece));
  if (!field.empty()) pieces.push_back(std::string(field) + ": " + value);
  auto text = std::string(type) + ": {";
  for (auto const& piece : pieces) text += (text.back() == '{' ? "" : ", ") + piece;
  return text + "}";
}

/// A value of the field's kind that is not its default.
std::string another(std::string const& key, FieldInfo const& field) {
  if (auto const found = changed.find(key); found != changed.end()) return found->second;
  auto const inside = [&](double x) { return field.range.holds(x); };
  switch (field.kind) {
    case FieldKind::boolean:
      return std::get<bool>(field.default_value) ? "false" : "true";
    case FieldKind::integer: {
      auto const now = std::get<std::int64_t>(field.default_value);
      for (auto const candidate : {now + 1, std::int64_t{3}, std::int64_t{1}})
        if (inside(static_cast<double>(candidate)) && candidate != now)
          return std::to_string(candidate);
      return "0";
    }
    case FieldKind::real: {
      auto const now = std::get<double>(field.default_value);
      for (double const candidate : {0.25, 0.75, 0.01})
        if (inside(candidate) && candidate != now) return std::to_string(candidate);
      return "2.5";
    }
    case FieldKind::choice:
      for (auto const choice : field.choices)
        if (choice != std::get<std::string>(field.default_value)) return std::string(choice);
      return {};
    case FieldKind::texts:
    case FieldKind::text:
      return "changed";
    default:
      return "[2]";
  }
}

/// The entry that is to stand in place of the usual one, or null.
std::optional<std::string> whole_entry(std::string_view type, std::string_view field,
                                       std::string const& value) {
  auto const found = instead.find(std::string(type) + "." + std::string(field));
  if (found == instead.end()) return std::nullopt;
  auto text = found->second;
  if (auto const place = text.find("{}"); place != text.npos) text.replace(place, 2, value);
  return text;
}

/// What an experiment means, and whether a note says that `word` of it has no effect.
struct Meaning {
  std::uint64_t digest = 0;
  bool noted = false;
};

class Audit {
 public:
  /// Nothing after a complaint, or where something is refused as not supported yet.
  std::optional<Meaning> meaning(std::string const& text, std::string_view word = {}) {
    CompileOptions options;
    options.name = "audit.yaml";
    options.text = text;
    auto const compiled = compile(options, vocabulary);
    if (!compiled.plan) {
      auto const& said = compiled.report.diagnostics();
      bool const unbuilt = std::ranges::any_of(said, [](Diagnostic const& diagnostic) {
        return diagnostic.info->code == "not-supported-yet";
      });
      if (!unbuilt) FAIL_CHECK(text << render(compiled.report, compiled.sources, false));
      return std::nullopt;
    }
    Meaning meaning{meaning_digest(*compiled.plan)};
    for (auto const& diagnostic : compiled.report.diagnostics())
      meaning.noted = meaning.noted || (diagnostic.info->code == "no-effect" &&
                                        diagnostic.values.front().text.ends_with(word));
    return meaning;
  }

  /// `place` puts an entry with a field changed (or none: an empty name) into an experiment.
  template <class Place>
  void fields(DeclarationType const& type, Place place, std::string_view owner = {}) {
    std::string const name(owner.empty() ? type.name : owner);
    if (type.fields.empty() || type.support != Support::built) return;
    auto const base = meaning(place("", ""));
    for (auto const& field : type.fields) {
      auto const key = name + "." + std::string(field.name);
      CAPTURE(key);
      // What is not built is refused.
      if (field.support == Support::unbuilt) continue;
      if (inert_keys.contains(key)) {
        unmet.erase(key);
        continue;
      }
      ++examined;
      if (field.support == Support::inert)
        no_effect(base, place(field.name, another(key, field)), field.name);
      else if (field.path)
        same_meaning(place(field.name, "first"), place(field.name, "second"));
      else
        another_meaning(base, place(field.name, another(key, field)));
      if (field.support == Support::built) choices(key, field, place);
    }
  }

  /// Each choice means something of its own, or a note says that it does nothing.
  template <class Place>
  void choices(std::string const& key, FieldInfo const& field, Place place) {
    std::map<std::uint64_t, std::string_view> seen;
    for (auto const choice : field.choices) {
      auto const what = key + ": " + std::string(choice);
      if (inert_keys.contains(key + "=" + std::string(choice))) {
        unmet.erase(key + "=" + std::string(choice));
        continue;
      }
      CAPTURE(what);
      auto const now = meaning(place(field.name, std::string(choice)), choice);
      if (!now) continue;
      ++alternatives;
      if (now->noted) continue;
      auto const [known, is_new] = seen.emplace(now->digest, choice);
      CHECK_MESSAGE(is_new, what, " does what ", known->second, " does");
    }
  }

  void another_meaning(std::optional<Meaning> const& base, std::string const& text) {
    auto const now = meaning(text);
    if (base && now) CHECK_MESSAGE(base->digest != now->digest, "it changes nothing");
  }

  void same_meaning(std::string const& first, std::string const& second) {
    auto const one = meaning(first), other = meaning(second);
    if (one && other) CHECK_MESSAGE(one->digest == other->digest, "a path changes the meaning");
  }

  void no_effect(std::optional<Meaning> const& base, std::string const& text,
                 std::string_view field) {
    auto const now = meaning(text, field);
    if (!base || !now) return;
    CHECK_MESSAGE(base->digest == now->digest, "declared without effect, but has one");
    CHECK_MESSAGE(now->noted, "no note tells that it has no effect");
  }

  Vocabulary const vocabulary;
  std::set<std::string> unmet = [] {
    std::set<std::string> keys;
    for (auto const& [key, reason] : inert_keys) keys.insert(key);
    return keys;
  }();
  std::size_t examined = 0, alternatives = 0;
};

/// Declared types of an experiment, whose fields the runtime reads.
template <class Visit>
void each_type(Vocabulary const& vocabulary, Visit visit) {
  for (auto const* list :
       {&vocabulary.layer_list, &vocabulary.reader_list, &vocabulary.optimizer_list,
        &vocabulary.initializer_list, &vocabulary.callback_list, &vocabulary.objective_list,
        &vocabulary.metric_list, &vocabulary.training_algorithm_list})
    for (auto const* type : *list) visit(*type);
}

}  // namespace

TEST_CASE("fields that are named like paths are declared as such") {
  Vocabulary const vocabulary;
  std::size_t paths = 0;
  each_type(vocabulary, [&](DeclarationType const& type) {
    for (auto const& field : type.fields) {
      CAPTURE(type.name);
      CAPTURE(field.name);
      bool const named = field.name.find("file") != field.name.npos ||
                         field.name.find("dir") != field.name.npos ||
                         field.name.find("path") != field.name.npos;
      bool const text = field.kind == FieldKind::text || field.kind == FieldKind::texts;
      if (named && text) CHECK(field.path);
      paths += field.path ? 1 : 0;
    }
  });
  CHECK(paths > 30);
}

TEST_CASE("key-effect audit: no field and no choice is accepted and not used") {
  Audit audit;
  auto const& vocabulary = audit.vocabulary;
  for (auto const* type : vocabulary.layer_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      auto const found = parents.find(type->name);
      auto const more = found == parents.end() ? std::string("parents: c") : found->second;
      auto const whole = whole_entry(type->name, field, value);
      parts.layer = "- " + (whole ? *whole
                                  : entry(type->name, "name: t" + (more.empty() ? "" : ", " + more),
                                          field, value));
      parts.measured = type->name != "dummy";
      return experiment(parts);
    });
  audit.fields(vocabulary.layer, [&](std::string_view field, std::string const& value) {
    Parts parts;
    bool const named = field == "name", placed = field == "parents";
    parts.layer =
        "- convolution: {name: " + std::string(named ? value : "t") +
        ", parents: " + (placed ? value : "x") + ", out_channels: 4, kernel_size: 3" +
        (placed ? ", padding: 1" : "") +
        (field.empty() || named || placed ? "" : ", " + std::string(field) + ": " + value) + "}";
    if (field == "weights") parts.weights = "- {name: w}";
    parts.measured = !named;
    if (placed) parts.layer = "- relu: {name: t, parents: " + value + "}";
    return experiment(parts);
  });
  for (auto const* type : vocabulary.reader_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      auto const whole = whole_entry(type->name, field, value);
      parts.flat = type->name == "csv" || type->name == "text";
      parts.labelled = field != "disable_labels" || value == "false";
      parts.reader = "- " + (whole ? *whole : entry(type->name, "", field, value));
      parts.second_reader.clear();
      return experiment(parts);
    });
  for (auto const* type : vocabulary.optimizer_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.optimizer = entry(type->name, "", field, value);
      return experiment(parts);
    });
  for (auto const* type : vocabulary.initializer_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.layer = type->name == "value_initializer"
                        ? "- weights_layer: {name: t, dims: [3], weights: [w]}"
                        : "- fully_connected: {name: t, parents: c, num_neurons: 3, weights: [w]}";
      parts.weights = "- {name: w, initializer: {" + entry(type->name, "", field, value) + "}}";
      return experiment(parts);
    });
  for (auto const* type : vocabulary.callback_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.layer = "- convolution: {name: t, parents: x, out_channels: 4, kernel_size: 3}";
      parts.metric =
          "- layer_metric: {layer: loss, name: measured}\n"
          "    - layer_metric: {layer: other, name: second}";
      parts.callback = "- " + entry(type->name, "", field, value);
      return experiment(parts);
    });
  for (auto const* type : vocabulary.objective_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.term = "- " + entry(type->name, "", field, value);
      return experiment(parts);
    });
  for (auto const* type : vocabulary.metric_list)
    audit.fields(*type, [&](std::string_view field, std::string const& value) {
      Parts parts;
      parts.metric = "- " + entry(type->name, "", field, value);
      return experiment(parts);
    });
  audit.fields(vocabulary.trainer, [&](std::string_view field, std::string const& value) {
    Parts parts;
    bool const size = field == "mini_batch_size";
    parts.trainer = "mini_batch_size: " + (size ? value : "4") +
                    ", training_algorithm: {sgd: {max_epochs: 2}}" +
                    (field.empty() || size ? "" : ", " + std::string(field) + ": " + value);
    return experiment(parts);
  });
  audit.fields(
      *vocabulary.training_algorithm_list.front(),
      [&](std::string_view field, std::string const& value) {
        Parts parts;
        bool const epochs = field == "max_epochs";
        parts.trainer = "mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: " +
                        (epochs ? "7" : std::string("2")) +
                        (field.empty() || epochs ? "" : ", " + std::string(field) + ": " + value) +
                        "}}";
        return experiment(parts);
      },
      "training sgd");
  audit.fields(declaration_type<sections::data_coordinator>(), [&](std::string_view field,
                                                                   std::string const& value) {
    Parts parts;
    if (!field.empty())
      parts.trainer += ", data_coordinator: {" + std::string(field) + ": " + value + "}";
    return experiment(parts);
  });
  audit.fields(vocabulary.model, [&](std::string_view field, std::string const& value) {
    Parts parts;
    if (!field.empty()) parts.model = "  " + std::string(field) + ": " + value + "\n";
    if (field == "num_epochs") parts.trainer = "mini_batch_size: 4";
    return experiment(parts);
  });
  audit.fields(vocabulary.weights, [&](std::string_view field, std::string const& value) {
    Parts parts;
    bool const named = field == "name";
    auto const name = named ? value : std::string("w");
    parts.layer =
        "- fully_connected: {name: t, parents: c, num_neurons: 3, weights: [" + name + "]}";
    parts.weights = "- {name: " + name +
                    (field.empty() || named ? "" : ", " + std::string(field) + ": " + value) + "}";
    return experiment(parts);
  });
  CHECK(audit.unmet.empty());
  CHECK(audit.examined > 40);
  CHECK(audit.alternatives > 40);
  MESSAGE(audit.examined << " fields and " << audit.alternatives << " choices looked at, "
                         << inert_keys.size() << " are without effect");
}
