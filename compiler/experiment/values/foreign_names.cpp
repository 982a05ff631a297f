// The table of names that users of PyTorch and Keras bring along.
#include "compiler/experiment/values/foreign_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace lbann::compiler {

namespace {

constexpr std::string_view maximum = "pool_mode: max";
constexpr std::string_view average = "pool_mode: average";
constexpr std::string_view whole_note =
    "its `pool_dims` are the height and width of what comes in; or `channelwise_mean`";
constexpr std::string_view from_parents =
    "what comes in is known from the parents; leave the field out";
constexpr std::string_view keep_note = "the part that is kept: 1 minus the part that is dropped";
constexpr std::string_view channels_note = "it drops single entries, not whole channels";
constexpr std::string_view flatten_note =
    "leave it out: `fully_connected` takes samples of any dims; otherwise use "
    "`reshape: {dims: [-1]}`";
constexpr std::string_view logits_note =
    "it takes probabilities: put `softmax` before it, of which it takes the logarithm itself";
constexpr std::string_view decay_note =
    "write `- l2_weight_regularization: {scale_factor: ...}` under `objective_function`";
constexpr std::string_view adam_decay_note =
    "it decays as AdamW's; for Adam's own, write `- l2_weight_regularization: {scale_factor: ...}` "
    "under `objective_function`";
constexpr std::string_view recurrent_note = "of recurrent layers there are `gru` and `lstm`";
constexpr std::string_view samples_first_note = "samples always come first";
constexpr std::string_view one_way_note =
    "a layer reads a sequence in one direction: reverse it with `gather` for a second layer";
constexpr std::string_view attention_note =
    "its maps of queries, keys and values are layers of their own, `channelwise_fully_connected`";
constexpr std::string_view sequence_note = "layers stand one below the other in `layers`";
constexpr std::string_view activation_note =
    "an activation is a layer of its own: write `- relu:` behind this one";
constexpr std::string_view schedule_note =
    "learning rates change by callbacks: write `- step_learning_rate: {step: 10, amt: 0.1}` or "
    "another under `model: callbacks`";
constexpr std::string_view exponential_note = "with `step: 1`";
constexpr std::string_view cosine_note =
    "with `lr_max` and `lr_min`; it falls until training ends, or for `decay_epochs`";
constexpr std::string_view rate_note = "for example `expression: \"first * 0.9 ** epoch\"`";
constexpr std::string_view device_note =
    "the plan is the same for CPUs and GPUs; leave the field out";
constexpr std::string_view worker_note =
    "threads of each rank read mini-batches ahead, for all readers; leave the field out";
constexpr std::string_view batch_note =
    "leave it out: `mini_batch_size` of the `trainer` holds for all readers";
constexpr std::string_view transforms_note =
    "they are layers, or entries of `transforms` of readers of images";
constexpr std::string_view tensor_note = "leave it out: readers give numbers";
constexpr std::string_view monitor_note =
    "leave it out: `early_stopping` watches the objective on the validation data";
constexpr std::string_view initial_note =
    "write `weights: [{name: w, initializer: {he_normal: {}}}]` in the layer";
constexpr std::string_view samples_note =
    "axes are those of one sample, from 0: without the "
    "mini-batch, which is PyTorch's first";
constexpr std::string_view softmax_axis_note =
    "a sample has no axis for the mini-batch; `softmax` is taken over all of its entries, and "
    "`channelwise_softmax` has an axis";

constexpr auto renamed(std::string_view theirs, std::string_view ours) {
  return ForeignName{theirs, ours};
}
constexpr auto noted(std::string_view theirs, std::string_view ours, std::string_view note) {
  return ForeignName{theirs, ours, note};
}
constexpr auto added(std::string_view theirs, std::string_view ours, std::string_view adds) {
  return ForeignName{theirs, ours, {}, adds};
}
constexpr auto changed(std::string_view theirs, std::string_view ours, ValueChange change,
                       std::string_view note = {}) {
  return ForeignName{theirs, ours, note, {}, change};
}
constexpr auto left_out(std::string_view theirs, std::string_view note) {
  return ForeignName{theirs, {}, note, {}, ValueChange::left_out};
}

constexpr std::array rows = {
    // Layers
    renamed("conv", "convolution"),
    renamed("conv1d", "convolution"),
    renamed("conv2d", "convolution"),
    renamed("conv3d", "convolution"),
    renamed("convtranspose1d", "deconvolution"),
    renamed("convtranspose2d", "deconvolution"),
    renamed("convtranspose3d", "deconvolution"),
    renamed("conv2dtranspose", "deconvolution"),
    renamed("conv3dtranspose", "deconvolution"),
    renamed("linear", "fully_connected"),
    renamed("dense", "fully_connected"),
    renamed("innerproduct", "fully_connected"),
    renamed("fc", "fully_connected"),
    added("maxpool1d", "pooling", maximum),
    added("maxpool2d", "pooling", maximum),
    added("maxpool3d", "pooling", maximum),
    added("maxpooling1d", "pooling", maximum),
    added("maxpooling2d", "pooling", maximum),
    added("maxpooling3d", "pooling", maximum),
    added("avgpool1d", "pooling", average),
    added("avgpool2d", "pooling", average),
    added("avgpool3d", "pooling", average),
    added("averagepooling1d", "pooling", average),
    added("averagepooling2d", "pooling", average),
    added("averagepooling3d", "pooling", average),
    ForeignName{"adaptiveavgpool1d", "pooling", whole_note, average},
    ForeignName{"adaptiveavgpool2d", "pooling", whole_note, average},
    ForeignName{"adaptiveavgpool3d", "pooling", whole_note, average},
    ForeignName{"globalaveragepooling1d", "pooling", whole_note, average},
    ForeignName{"globalaveragepooling2d", "pooling", whole_note, average},
    ForeignName{"globalaveragepooling3d", "pooling", whole_note, average},
    noted("flatten", "", flatten_note),
    renamed("view", "reshape"),
    renamed("batchnorm1d", "batch_normalization"),
    renamed("batchnorm2d", "batch_normalization"),
    renamed("batchnorm3d", "batch_normalization"),
    renamed("batchnorm", "batch_normalization"),
    renamed("syncbatchnorm", "batch_normalization"),
    renamed("layernormalization", "layer_norm"),
    renamed("instancenorm1d", "instance_norm"),
    renamed("instancenorm2d", "instance_norm"),
    renamed("instancenorm3d", "instance_norm"),
    renamed("instancenormalization", "instance_norm"),
    renamed("localresponsenorm", "local_response_normalization"),
    renamed("rmsnormalization", "rms_norm"),
    renamed("groupnormalization", "group_norm"),
    renamed("cat", "concatenation"),
    renamed("concat", "concatenation"),
    renamed("concatenate", "concatenation"),
    renamed("chunk", "slice"),
    renamed("split", "slice"),
    noted("crossentropyloss", "cross_entropy", logits_note),
    noted("categoricalcrossentropy", "cross_entropy", logits_note),
    noted("sparsecategoricalcrossentropy", "cross_entropy", logits_note),
    noted("softmaxwithloss", "cross_entropy", logits_note),
    noted("nllloss", "cross_entropy", logits_note),
    renamed("mseloss", "mean_squared_error"),
    renamed("mse", "mean_squared_error"),
    renamed("l1loss", "mean_absolute_error"),
    renamed("mae", "mean_absolute_error"),
    renamed("bceloss", "binary_cross_entropy"),
    renamed("bcewithlogitsloss", "sigmoid_binary_cross_entropy"),
    renamed("accuracy", "categorical_accuracy"),
    noted("dropout1d", "dropout", channels_note),
    noted("dropout2d", "dropout", channels_note),
    noted("dropout3d", "dropout", channels_note),
    renamed("swish", "silu"),
    noted("rnn", "", recurrent_note),
    noted("lstmcell", "lstm", "it takes all steps of a sequence at once"),
    noted("simplernn", "", recurrent_note),
    noted("multiheadattention", "scaled_dot_product_attention", attention_note),
    noted("sequential", "", sequence_note),
    noted("modulelist", "", sequence_note),
    renamed("inputlayer", "input"),
    noted("activation", "relu", "each activation is a layer: relu, sigmoid, tanh, ..."),
    renamed("mul", "multiply"),
    renamed("sub", "subtract"),
    renamed("div", "divide"),
    renamed("transpose", "permute"),
    // Fields
    renamed("lr", "learn_rate"),
    renamed("learningrate", "learn_rate"),
    renamed("batchsize", "mini_batch_size"),
    renamed("epochs", "max_epochs"),
    renamed("numepochs", "max_epochs"),
    renamed("nepochs", "max_epochs"),
    renamed("seed", "random_seed"),
    renamed("manualseed", "random_seed"),
    renamed("randomstate", "random_seed"),
    left_out("inchannels", from_parents),
    left_out("infeatures", from_parents),
    left_out("inputshape", from_parents),
    left_out("inputdim", from_parents),
    left_out("inputsize", from_parents),
    left_out("numfeatures", from_parents),
    left_out("numchannels", from_parents),
    renamed("outfeatures", "num_neurons"),
    renamed("units", "num_neurons"),
    renamed("units", "hidden_size"),
    left_out("batchfirst", samples_first_note),
    noted("bidirectional", "", one_way_note),
    renamed("numoutput", "num_neurons"),
    renamed("numoutput", "out_channels"),
    renamed("filters", "out_channels"),
    renamed("poolsize", "pool_dims"),
    renamed("kernelsize", "pool_dims"),
    renamed("stride", "pool_strides"),
    renamed("strides", "pool_strides"),
    renamed("strides", "stride"),
    renamed("padding", "pool_pads"),
    renamed("pad", "padding"),
    renamed("dilationrate", "dilation"),
    renamed("bias", "has_bias"),
    renamed("usebias", "has_bias"),
    changed("p", "keep_prob", ValueChange::complement, keep_note),
    changed("rate", "keep_prob", ValueChange::complement, keep_note),
    changed("droprate", "keep_prob", ValueChange::complement, keep_note),
    changed("dropout", "keep_prob", ValueChange::complement, keep_note),
    changed("requiresgrad", "freeze", ValueChange::negation),
    changed("trainable", "freeze", ValueChange::negation),
    renamed("alpha", "negative_slope"),
    renamed("betas", "beta1"),
    renamed("betas", "beta2"),
    renamed("epsilon", "eps"),
    renamed("eps", "epsilon"),
    renamed("vocabsize", "num_embeddings"),
    renamed("inputdim", "num_embeddings"),
    renamed("outputdim", "embedding_dim"),
    renamed("dmodel", "embedding_dim"),
    noted("weightdecay", "adamw_weight_decay", adam_decay_note),
    noted("weightdecay", "", decay_note),
    noted("kernelinitializer", "", initial_note),
    noted("weightinitialization", "", initial_note),
    noted("weightsinitializer", "", initial_note),
    noted("init", "", initial_note),
    noted("activation", "", activation_note),
    renamed("dtype", "datatype"),
    renamed("inputs", "parents"),
    renamed("input", "parents"),
    renamed("bottom", "parents"),
    renamed("outputs", "children"),
    renamed("top", "children"),
    noted("dim", "axis", samples_note),
    noted("dim", "", softmax_axis_note),
    renamed("stepsize", "step"),
    renamed("gamma", "amt"),
    renamed("factor", "amt"),
    renamed("milestones", "drop_epoch"),
    renamed("maxnorm", "value"),
    renamed("validationsplit", "validation_fraction"),
    renamed("filename", "data_filename"),
    renamed("path", "data_filename"),
    renamed("path", "data_filedir"),
    renamed("split", "role"),
    renamed("usage", "role"),
    left_out("device", device_note),
    left_out("cuda", device_note),
    left_out("gpu", device_note),
    left_out("gpus", device_note),
    left_out("numworkers", worker_note),
    left_out("workers", worker_note),
    left_out("pinmemory", worker_note),
    left_out("prefetchfactor", worker_note),
    left_out("prefetch", worker_note),
    left_out("persistentworkers", worker_note),
    noted("batchsize", "", batch_note),
    noted("minibatchsize", "", batch_note),
    noted("scheduler", "", schedule_note),
    noted("lrscheduler", "", schedule_note),
    noted("monitor", "", monitor_note),
    noted("transform", "transforms", transforms_note),
    // Sections
    renamed("loss", "objective_function"),
    renamed("criterion", "objective_function"),
    renamed("objective", "objective_function"),
    renamed("data", "data_reader"),
    renamed("dataset", "data_reader"),
    renamed("dataloader", "data_reader"),
    renamed("net", "model"),
    renamed("network", "model"),
    renamed("training", "trainer"),
    // Optimizers
    noted("adamw", "adam", "with `adamw_weight_decay`"),
    // Callbacks
    renamed("steplr", "step_learning_rate"),
    renamed("multisteplr", "drop_fixed_learning_rate"),
    noted("exponentiallr", "step_learning_rate", exponential_note),
    noted("cosineannealinglr", "cosine_decay_learning_rate", cosine_note),
    noted("cosinedecay", "cosine_decay_learning_rate", cosine_note),
    noted("reducelronplateau", "adaptive_learning_rate",
          "it watches the objective on the training data"),
    added("clipgradnorm", "clip_gradient_norm", "global_norm: true"),
    renamed("modelcheckpoint", "checkpoint"),
    renamed("polynomiallr", "poly_learning_rate"),
    noted("lambdalr", "custom_learning_rate", rate_note),
    noted("learningratescheduler", "custom_learning_rate", rate_note),
    noted("summarizer", "", "callback `summary` has the folder of its event files in `dir`"),
    renamed("tensorboard", "summary"),
    renamed("tensorboardlogger", "summary"),
    renamed("summarywriter", "summary"),
    noted("csvlogger", "", "what is measured stands in `metrics.jsonl` of the run folder"),
    // Transforms
    noted("totensor", "", tensor_note),
    // Initializers
    renamed("kaimingnormal", "he_normal_initializer"),
    renamed("henormal", "he_normal_initializer"),
    renamed("kaiminguniform", "he_uniform_initializer"),
    renamed("heuniform", "he_uniform_initializer"),
    renamed("xaviernormal", "glorot_normal_initializer"),
    renamed("xavier", "glorot_normal_initializer"),
    renamed("xavier", "glorot_uniform_initializer"),
    renamed("xavieruniform", "glorot_uniform_initializer"),
    renamed("zeros", "constant_initializer"),
    renamed("constant", "constant_initializer"),
    added("ones", "constant_initializer", "value: 1"),
};

constexpr OwnedField owned_fields[] = {
    {"layers", "`model`"},
    {"objective_function", "`model`"},
    {"metrics", "`model`"},
    {"callbacks", "`model`"},
    {"weights", "`model`"},
    {"max_epochs", "the algorithm: `trainer: {training_algorithm: {sgd: {max_epochs: 10}}}`"},
    {"mini_batch_size", "`trainer`"},
    {"random_seed", "`trainer`"},
    {"training_algorithm", "`trainer`"},
    {"learn_rate", "the optimizer: `optimizer: {adam: {learn_rate: 0.001}}`"},
    {"data_reader", "the experiment, beside `model`"},
    {"optimizer", "the experiment, beside `model`"},
    {"trainer", "the experiment, beside `model`"},
    {"modules", "the experiment, beside `model`"},
    {"variables", "the experiment, beside `model`"},
};

struct ForeignValue {
  std::string_view field, theirs, ours;
};

constexpr ForeignValue foreign_values[] = {
    {"role", "val", "validate"},        {"role", "valid", "validate"},
    {"role", "validation", "validate"}, {"role", "dev", "validate"},
    {"role", "eval", "validate"},       {"role", "training", "train"},
    {"role", "testing", "test"},        {"pool_mode", "avg", "average"},
    {"pool_mode", "mean", "average"},   {"pool_mode", "maximum", "max"},
};

/// A name as it stands in the table.
std::string plain(std::string_view name) {
  std::string text;
  for (unsigned char c : name)
    if (c != '_' && c != '-') text += static_cast<char>(std::tolower(c));
  return text;
}

}  // namespace

std::span<ForeignName const> foreign_names() { return rows; }

std::string_view bare_name(std::string_view name) {
  if (name.ends_with("()")) name.remove_suffix(2);
  return name.substr(name.rfind('.') + 1);
}

std::vector<ForeignName const*> translations(std::string_view name,
                                             std::vector<std::string_view> const& accepted) {
  auto const theirs = plain(bare_name(name));
  std::vector<ForeignName const*> found, without;
  for (auto const& row : rows)
    if (row.theirs == theirs) {
      if (row.ours.empty()) without.push_back(&row);
      if (std::ranges::find(accepted, row.ours) != accepted.end()) found.push_back(&row);
    }
  return found.empty() ? without : found;
}

OwnedField const* owner_of(std::string_view name) {
  auto const theirs = plain(bare_name(name));
  for (auto const& owned : owned_fields)
    if (plain(owned.field) == theirs) return &owned;
  for (auto const& row : rows)
    if (row.theirs == theirs)
      for (auto const& owned : owned_fields)
        if (owned.field == row.ours) return &owned;
  return nullptr;
}

std::string_view complement_note(std::string_view field) {
  for (auto const& row : rows)
    if (row.ours == field && row.change == ValueChange::complement) return row.note;
  return {};
}

std::string_view translated_value(std::string_view field, std::string_view word) {
  auto const theirs = plain(word);
  for (auto const& value : foreign_values)
    if (value.field == field && value.theirs == theirs) return value.ours;
  return {};
}

}  // namespace lbann::compiler
