// What LBANN's builders and layers make of fields that are not given (LBANN 04c297bdd).
#include "compiler/importer/prototext_rules.hpp"

#include <algorithm>

namespace lbann::compiler {

namespace {

constexpr auto zero = Absent::zero, patched = Absent::patched, optional = Absent::optional;
constexpr std::string_view untrained = "nothing is trained";
constexpr std::string_view size_lost = "each step divides by the last gradient alone";
constexpr std::string_view unbounded = "steps are not numbers where gradients are 0";
constexpr std::string_view stopped = "learning stops";

constexpr PrototextRule rules[] = {
    {"optimizer.sgd", "learn_rate", zero, untrained},
    {"optimizer.adam", "learn_rate", zero, untrained},
    {"optimizer.adam", "beta1", zero},
    {"optimizer.adam", "beta2", zero, size_lost},
    {"optimizer.adam", "eps", zero, unbounded},
    {"optimizer.adagrad", "learn_rate", zero, untrained},
    {"optimizer.adagrad", "eps", zero, unbounded},
    {"optimizer.rmsprop", "learn_rate", zero, untrained},
    {"optimizer.rmsprop", "decay_rate", zero, unbounded},
    {"optimizer.rmsprop", "eps", zero, unbounded},
    {"optimizer.hypergradient_adam", "init_learning_rate", zero, untrained},
    {"optimizer.hypergradient_adam", "hyper_learning_rate", zero, "the learning rate stays"},
    {"optimizer.hypergradient_adam", "beta1", zero},
    {"optimizer.hypergradient_adam", "beta2", zero, size_lost},
    {"optimizer.hypergradient_adam", "eps", zero, unbounded},

    {"objective.layer_term", "scale_factor", zero, "the term counts nothing"},
    {"objective.l2_weight_regularization", "scale_factor", zero, "the term counts nothing"},

    {"initializer.normal_initializer", "mean", patched, {}, "normal"},
    {"initializer.normal_initializer", "standard_deviation", patched, {}, "normal"},
    {"initializer.uniform_initializer", "min", patched, {}, "uniform"},
    {"initializer.uniform_initializer", "max", patched, {}, "uniform"},

    {"layer.fully_connected", "has_bias", zero},
    {"layer.fully_connected", "num_neurons", patched},
    {"layer.weights_layer", "dims", patched},
    {"layer.dropout", "keep_prob", zero, "outputs are not numbers"},
    {"layer.selu_dropout", "keep_prob", patched},
    {"layer.selu_dropout", "alpha", patched},
    {"layer.selu_dropout", "scale", patched},
    {"layer.leaky_relu", "negative_slope", patched},
    {"layer.elu", "alpha", patched},
    {"layer.pooling", "pool_strides", zero, "LBANN divides by it"},
    {"layer.pooling", "pool_dims", zero, "LBANN divides by it"},
    {"layer.pooling", "pool_pads", patched},
    {"layer.top_k_categorical_accuracy", "k", zero, "the metric is always 0"},
    {"layer.in_top_k", "k", zero, "the result is always 0"},
    {"layer.convolution", "stride", patched},
    {"layer.convolution", "padding", patched},
    {"layer.convolution", "dilation", patched},
    {"layer.channelwise_fully_connected", "bias", optional},
    {"layer.gru", "num_layers", optional},
    {"layer.convolution", "groups", optional},
    {"layer.convolution", "has_bias", optional},
    {"layer.deconvolution", "stride", patched},
    {"layer.deconvolution", "padding", patched},
    {"layer.deconvolution", "dilation", patched},
    {"layer.deconvolution", "output_padding", patched},
    {"layer.deconvolution", "groups", optional},
    {"layer.deconvolution", "has_bias", optional},
    {"layer.batch_normalization", "decay", patched},
    {"layer.batch_normalization", "epsilon", patched},
    {"layer.batch_normalization", "scale_init", patched},
    {"layer.layer_norm", "epsilon", optional},
    {"layer.rms_norm", "epsilon", optional},
    {"layer.instance_norm", "epsilon", optional},
    {"layer.group_norm", "epsilon", optional},
    {"layer.group_norm", "scale", optional},
    {"layer.group_norm", "bias", optional},
    {"layer.entrywise_batch_normalization", "decay", zero,
     "running statistics are those of the last batch"},
    {"layer.entrywise_batch_normalization", "epsilon", zero, "constant entries are not numbers"},
    {"layer.local_response_normalization", "window_width", zero, "LBANN divides by it"},
    {"layer.local_response_normalization", "lrn_alpha", zero},
    {"layer.local_response_normalization", "lrn_beta", zero},
    {"layer.local_response_normalization", "lrn_k", zero},
    {"layer.gaussian", "mean", patched, {}, "normal"},
    {"layer.gaussian", "stdev", patched, {}, "normal"},
    {"layer.uniform", "min", patched, {}, "uniform"},
    {"layer.uniform", "max", patched, {}, "uniform"},
    {"layer.bernoulli", "prob", zero, "the output is 0"},
    {"layer.embedding", "padding_idx", optional},
    {"layer.gather", "axis", optional},
    {"layer.scatter", "axis", optional},
    {"layer.scale", "constant", zero, "the output is 0"},
    {"layer.clamp", "max", zero},
    {"layer.select", "epsilon", patched},
    {"layer.sigmoid", "cutoff", Absent::on},

    {"trainer", "random_seed", patched},
    {"trainer", "name", patched},
    {"model", "name", patched},
    {"data_coordinator", "io_buffer", patched},
    {"amp", "enabled", zero},
    {"amp", "init_scale", patched},
    {"amp", "growth_factor", patched},
    {"amp", "backoff_factor", patched},
    {"amp", "growth_interval", patched},
    {"algorithm.sgd", "name", patched},
    {"algorithm.sgd", "max_epochs", optional},
    {"algorithm.sgd", "max_batches", optional},
    {"algorithm.sgd", "max_seconds", optional},
    {"algorithm.ltfb", "name", patched},
    {"algorithm.kfac", "name", patched},
    {"algorithm.kfac", "damping_act", patched},
    {"algorithm.kfac", "damping_err", patched},
    {"algorithm.kfac", "damping_bn_act", patched},
    {"algorithm.kfac", "damping_bn_err", patched},
    {"algorithm.kfac", "damping_warmup_steps", patched},
    {"algorithm.kfac", "kronecker_decay", patched},
    {"algorithm.kfac", "update_intervals", patched},
    {"algorithm.kfac", "update_interval_steps", patched},
    {"algorithm.kfac", "learning_rate_factor", patched},
    {"algorithm.kfac", "learning_rate_factor_gru", patched},
    {"algorithm.kfac", "compute_interval", patched},

    // LBANN stops where neither is given; a user who wrote nothing means all samples.
    {"reader.*", "fraction_of_data_to_use", patched},
    {"reader.mnist", "scale", Absent::one},
    {"reader.mnist", "num_labels", patched},
    {"reader.numpy", "scale", patched},
    {"reader.numpy", "disable_labels", zero, "its last column is taken for labels"},
    {"reader.numpy", "disable_responses", zero, "its last column is taken for responses"},
    {"reader.csv", "separator", zero},
    {"reader.csv", "has_header", zero},
    // LBANN takes the last column whatever is asked for, and has responses switched off.
    {"reader.csv", "label_col", patched},
    {"reader.csv", "response_col", patched},
    {"reader.csv", "disable_responses", patched},
    {"reader.merge_samples", "separator", zero},
    {"reader.merge_samples", "has_header", zero},
    {"reader.merge_samples", "label_col", patched},
    {"reader.merge_samples", "response_col", patched},
    {"reader.merge_samples", "disable_responses", patched},
    {"reader.merge_features", "separator", zero},
    {"reader.merge_features", "has_header", zero},
    {"reader.merge_features", "disable_labels", zero, "its last column is taken for labels"},
    {"reader.cifar10", "scale", Absent::one},
    {"reader.imagenet", "scale", Absent::one},
    {"reader.numpy_npz", "scaling_factor_int16", patched},
    {"reader.hdf5", "hdf5_key_data", patched},
    {"reader.hdf5", "hdf5_key_responses", patched},
    {"reader.hdf5", "one_sample_per_file", patched},
    {"reader.hdf5", "scaling_factor_int16", patched},
    {"reader.cosmoflow_hdf5", "hdf5_key_data", patched},
    {"reader.cosmoflow_hdf5", "hdf5_key_responses", patched},
    {"reader.cosmoflow_hdf5", "one_sample_per_file", patched},
    {"reader.cosmoflow_hdf5", "scaling_factor_int16", patched},
    {"reader.python", "sample_function", patched},
    {"reader.python", "num_samples_function", patched},
    {"reader.python", "sample_dims_function", patched},
    {"reader.python_dataset", "prefetch_factor", patched},
    {"reader.node2vec", "return_param", zero, "LBANN divides by it"},
    {"reader.node2vec", "inout_param", zero, "LBANN divides by it"},
    {"reader.smiles", "cut_long_molecules", Absent::on},
    {"reader.numpy_npz_conduit_reader", "scaling_factor_int16", patched},
    {"reader.ras_lipid", "num_labels", patched},
    {"reader.ras_lipid", "sequence_length", patched},

    {"transform.scale", "scale", zero, "samples are 0"},
    {"transform.random_resized_crop", "scale_min", patched},
    {"transform.random_resized_crop", "scale_max", patched},
    {"transform.random_resized_crop", "ar_min", patched},
    {"transform.random_resized_crop", "ar_max", patched},
    {"transform.adjust_brightness", "factor", zero, "images are black"},
    {"transform.adjust_contrast", "factor", zero, "images are grey"},
    {"transform.adjust_saturation", "factor", zero, "images are grey"},

    // LBANN takes 1 for intervals of 0 (callback.hpp).
    {"callback.*", "interval", patched},
    {"callback.*", "batch_interval", patched},
    {"callback.*", "epoch_interval", patched},
    {"callback.progress_bar", "moving_average_length", patched},
    {"callback.progress_bar", "bar_width", patched},
    {"callback.load_model", "extension", patched},
    {"callback.save_model", "extension", patched},
    {"callback.summary", "mat_interval", zero},
    {"callback.save_images", "image_format", patched},
    {"callback.hang", "rank", zero},
    {"callback.checkpoint", "keep", optional},
    {"callback.checkpoint", "checkpoint_dir", patched},
    {"callback.dump_model_graph", "basename", patched},
    {"callback.export_onnx", "output_filename", patched},
    {"callback.alternate_updates", "iters_1", patched},
    {"callback.alternate_updates", "iters_2", patched},
    {"callback.step_learning_rate", "amt", zero, stopped},
    {"callback.adaptive_learning_rate", "amt", zero, stopped},
    {"callback.drop_fixed_learning_rate", "amt", zero, stopped},
    {"callback.set_learning_rate", "val", zero, stopped},
    {"callback.linear_growth_learning_rate", "target", zero, stopped},
    {"callback.clip_gradient_norm", "value", zero, "gradients are 0"},
    {"callback.cosine_decay_learning_rate", "lr_max", zero, stopped},
    {"callback.cosine_decay_learning_rate", "lr_min", zero},
    {"callback.poly_learning_rate", "power", zero, "the learning rate stays"},
    {"callback.early_stopping", "patience", zero},
    {"callback.set_learning_rate", "step", zero},
    {"callback.drop_fixed_learning_rate", "drop_epoch", Absent::inert,
     "epochs that have ended are counted from 1"},
    {"callback.summarize_images", "num_images", patched},
    {"metric.python_metric", "function", patched},
    {"jag_linear_normalization", "scale", zero},
};

constexpr PrototextRename renames[] = {
    {"algorithm.sgd", "stopping_criteria", ""},
    {"algorithm.ltfb", "stopping_criteria", ""},
    {"reader.python", "python", ""},
    {"reader.python_dataset", "python_dataset", ""},
    {"reader.node2vec", "node2vec", ""},
    {"callback.summarize_images", "selection_strategy", ""},
    {"callback.summarize_images", "categorical_accuracy", ""},
    {"callback.summarize_images", "track_sample_ids", ""},
    {"callback.summarize_images", "num_images_per_epoch", "num_images"},
    {"callback.summarize_images", "num_tracked_images", "num_images"},
    {"metric_strategy", "key", "metric"},
    {"metric_strategy", "value", "strategy"},
    {"initializer.value_initializer", "values_d", "values"},
    {"layer", "permute", "tensor_permute"},
    {"trainer", "callback", "callbacks"},
    {"model", "layer", "layers"},
    {"model", "metric", "metrics"},
    {"model", "callback", "callbacks"},
};

constexpr std::string_view keys[][2] = {
    {"experiment", "trainer"},
    {"experiment", "data_reader"},
    {"experiment", "data_set_metadata"},
    {"experiment", "model"},
    {"experiment", "optimizer"},
    {"experiment", "training_algorithm"},
    {"data_reader", "reader"},
    {"data_reader", "max_par_io_size"},
    {"data_reader", "requires_data_set_metadata"},
    {"reader.*", "name"},
    {"model", "layer"},
    {"model", "weights"},
    {"model", "objective_function"},
    {"model", "metric"},
    {"model", "callback"},
    {"model", "summarizer"},
    {"callback.summarize_images", "num_tracked_images"},
    {"weights", "initializer"},
    {"weights", "optimizer"},
    {"operator_layer", "ops"},
    {"ops", "input_datatype"},
    {"ops", "output_datatype"},
    {"ops", "device_allocation"},
    {"ops", "parameters"},
    {"training_algorithm", "name"},
    {"training_algorithm", "parameters"},
    {"layer.pooling", "has_vectors"},
    {"layer.pooling", "pool_dims_i"},
    {"layer.pooling", "pool_pads_i"},
    {"layer.pooling", "pool_strides_i"},
    {"layer.upsample", "has_vectors"},
    {"layer.upsample", "scale_factors_i"},
    {"initializer.value_initializer", "values"},
};

constexpr std::string_view operator_names[] = {"logical_not",
                                               "abs",
                                               "negative",
                                               "sign",
                                               "round",
                                               "ceil",
                                               "floor",
                                               "reciprocal",
                                               "square",
                                               "sqrt",
                                               "rsqrt",
                                               "safe_reciprocal",
                                               "exp",
                                               "expm1",
                                               "log",
                                               "log1p",
                                               "cos",
                                               "sin",
                                               "tan",
                                               "acos",
                                               "asin",
                                               "atan",
                                               "cosh",
                                               "sinh",
                                               "tanh",
                                               "acosh",
                                               "asinh",
                                               "atanh",
                                               "erf",
                                               "erf_inv",
                                               "gelu",
                                               "add",
                                               "subtract",
                                               "multiply",
                                               "divide",
                                               "mod",
                                               "pow",
                                               "safe_divide",
                                               "squared_difference",
                                               "max",
                                               "min",
                                               "equal",
                                               "not_equal",
                                               "less",
                                               "less_equal",
                                               "greater",
                                               "greater_equal",
                                               "logical_and",
                                               "logical_or",
                                               "logical_xor",
                                               "log_sigmoid",
                                               "log_softmax",
                                               "selu",
                                               "sigmoid",
                                               "softplus",
                                               "softsign",
                                               "binary_cross_entropy",
                                               "sigmoid_binary_cross_entropy",
                                               "boolean_accuracy",
                                               "boolean_false_negative",
                                               "boolean_false_positive",
                                               "clamp",
                                               "select",
                                               "add_constant",
                                               "scale",
                                               "subtract_constant",
                                               "constant_subtract",
                                               "max_constant",
                                               "min_constant",
                                               "not_equal_constant",
                                               "equal_constant",
                                               "less_equal_constant",
                                               "less_constant",
                                               "greater_equal_constant",
                                               "greater_constant"};

constexpr std::string_view event_file_writers[] = {"summary", "summarize_images"};

constexpr std::string_view first_weights_kept[] = {"fully_connected", "convolution",
                                                   "deconvolution"};

/// `callback.*` stands for all callbacks.
bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == name;
}

}  // namespace

std::span<PrototextRule const> prototext_rules() { return rules; }

std::vector<PrototextRule const*> rules_of(std::string_view message) {
  std::vector<PrototextRule const*> found;
  for (auto const& rule : rules)
    if (matches(rule.message, message)) found.push_back(&rule);
  return found;
}

PrototextRename const* rename_of(std::string_view message, std::string_view field) {
  auto const* found = std::find_if(std::begin(renames), std::end(renames), [&](auto const& each) {
    return each.message == message && each.field == field;
  });
  return found == std::end(renames) ? nullptr : found;
}

PrototextRename const* renamed_to(std::string_view message, std::string_view name) {
  auto const* found = std::find_if(std::begin(renames), std::end(renames), [&](auto const& each) {
    return each.message == message && each.name == name;
  });
  return found == std::end(renames) ? nullptr : found;
}

std::vector<std::string_view> further_keys(std::string_view message) {
  std::vector<std::string_view> found;
  for (auto const& [of, key] : keys)
    if (matches(of, message)) found.push_back(key);
  for (auto const& rename : renames)
    if (rename.message == message && rename.name.empty()) found.push_back(rename.field);
  return found;
}

bool has_no_field(std::string_view message, std::string_view field) {
  return std::any_of(std::begin(rules), std::end(rules), [&](PrototextRule const& rule) {
    return rule.absent == Absent::on && rule.message == message && rule.field == field;
  });
}

bool is_operator(std::string_view layer) {
  return std::find(std::begin(operator_names), std::end(operator_names), layer) !=
         std::end(operator_names);
}

bool keeps_first_weights(std::string_view layer) {
  return std::ranges::find(first_weights_kept, layer) != std::end(first_weights_kept);
}

bool writes_event_files(std::string_view callback) {
  return std::ranges::find(event_file_writers, callback) != std::end(event_file_writers);
}

bool is_abbreviation(std::string_view name) {
  return name == "sgd" || name == "kfac" || name == "ltfb";
}

}  // namespace lbann::compiler
