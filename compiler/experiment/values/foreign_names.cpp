// The table of names that users of PyTorch and Keras bring along.
#include "compiler/experiment/values/foreign_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace lbann::compiler {

namespace {

constexpr std::string_view maximum_note = "with `pool_mode: max`";
constexpr std::string_view average_note = "with `pool_mode: average`";
constexpr std::string_view from_parents =
    "what comes in is known from the parents; leave the field out";
constexpr std::string_view keep_note =
    "`keep_prob` is the part that is kept: 1 minus the part that is dropped";
constexpr std::string_view flatten_note =
    "`fully_connected` takes samples of any dims; otherwise use `reshape: {dims: [-1]}`";
constexpr std::string_view logits_note = "it takes probabilities: put `softmax` before it";
constexpr std::string_view decay_note =
    "write `- l2_weight_regularization: {scale_factor: ...}` under `objective_function`";

constexpr std::array rows = {
    // Layers
    ForeignName{"conv", "convolution"},
    ForeignName{"conv1d", "convolution"},
    ForeignName{"conv2d", "convolution"},
    ForeignName{"conv3d", "convolution"},
    ForeignName{"convtranspose2d", "deconvolution"},
    ForeignName{"conv2dtranspose", "deconvolution"},
    ForeignName{"linear", "fully_connected"},
    ForeignName{"dense", "fully_connected"},
    ForeignName{"innerproduct", "fully_connected"},
    ForeignName{"fc", "fully_connected"},
    ForeignName{"maxpool1d", "pooling", maximum_note},
    ForeignName{"maxpool2d", "pooling", maximum_note},
    ForeignName{"maxpool3d", "pooling", maximum_note},
    ForeignName{"maxpooling2d", "pooling", maximum_note},
    ForeignName{"avgpool1d", "pooling", average_note},
    ForeignName{"avgpool2d", "pooling", average_note},
    ForeignName{"avgpool3d", "pooling", average_note},
    ForeignName{"averagepooling2d", "pooling", average_note},
    ForeignName{"adaptiveavgpool2d", "pooling", "with `pool_mode: average` and the input's size"},
    ForeignName{"globalaveragepooling2d", "pooling",
                "with `pool_mode: average` and the input's size"},
    ForeignName{"flatten", "", flatten_note},
    ForeignName{"view", "reshape"},
    ForeignName{"batchnorm1d", "batch_normalization"},
    ForeignName{"batchnorm2d", "batch_normalization"},
    ForeignName{"batchnorm3d", "batch_normalization"},
    ForeignName{"batchnorm", "batch_normalization"},
    ForeignName{"layernormalization", "layer_norm"},
    ForeignName{"cat", "concatenation"},
    ForeignName{"concat", "concatenation"},
    ForeignName{"concatenate", "concatenation"},
    ForeignName{"chunk", "slice"},
    ForeignName{"crossentropyloss", "cross_entropy", logits_note},
    ForeignName{"categoricalcrossentropy", "cross_entropy", logits_note},
    ForeignName{"nllloss", "cross_entropy", logits_note},
    ForeignName{"mseloss", "mean_squared_error"},
    ForeignName{"mse", "mean_squared_error"},
    ForeignName{"l1loss", "mean_absolute_error"},
    ForeignName{"bceloss", "binary_cross_entropy"},
    ForeignName{"bcewithlogitsloss", "sigmoid_binary_cross_entropy"},
    ForeignName{"accuracy", "categorical_accuracy"},
    ForeignName{"dropout1d", "dropout"},
    ForeignName{"dropout2d", "dropout"},
    ForeignName{"inputlayer", "input"},
    ForeignName{"activation", "relu", "each activation is a layer: relu, sigmoid, tanh, ..."},
    ForeignName{"add", "sum"},
    ForeignName{"mul", "multiply"},
    // Fields
    ForeignName{"lr", "learn_rate"},
    ForeignName{"learningrate", "learn_rate"},
    ForeignName{"batchsize", "mini_batch_size"},
    ForeignName{"epochs", "max_epochs"},
    ForeignName{"numepochs", "max_epochs"},
    ForeignName{"seed", "random_seed"},
    ForeignName{"manualseed", "random_seed"},
    ForeignName{"inchannels", "", from_parents},
    ForeignName{"infeatures", "", from_parents},
    ForeignName{"inputshape", "", from_parents},
    ForeignName{"inputdim", "", from_parents},
    ForeignName{"numfeatures", "", from_parents},
    ForeignName{"outfeatures", "num_neurons"},
    ForeignName{"units", "num_neurons"},
    ForeignName{"numoutput", "num_neurons"},
    ForeignName{"numoutput", "out_channels"},
    ForeignName{"filters", "out_channels"},
    ForeignName{"poolsize", "pool_dims"},
    ForeignName{"kernelsize", "pool_dims"},
    ForeignName{"stride", "pool_strides"},
    ForeignName{"strides", "pool_strides"},
    ForeignName{"strides", "stride"},
    ForeignName{"padding", "pool_pads"},
    ForeignName{"pad", "padding"},
    ForeignName{"dilationrate", "dilation"},
    ForeignName{"bias", "has_bias"},
    ForeignName{"usebias", "has_bias"},
    ForeignName{"p", "keep_prob", keep_note},
    ForeignName{"rate", "keep_prob", keep_note},
    ForeignName{"droprate", "keep_prob", keep_note},
    ForeignName{"alpha", "negative_slope"},
    ForeignName{"betas", "beta1"},
    ForeignName{"betas", "beta2"},
    ForeignName{"epsilon", "eps"},
    ForeignName{"weightdecay", "", decay_note},
    ForeignName{"dtype", "datatype"},
    ForeignName{"inputs", "parents"},
    ForeignName{"input", "parents"},
    ForeignName{"bottom", "parents"},
    ForeignName{"outputs", "children"},
    ForeignName{"top", "children"},
    ForeignName{"dim", "axis"},
    // Sections
    ForeignName{"loss", "objective_function"},
    ForeignName{"criterion", "objective_function"},
    ForeignName{"data", "data_reader"},
    ForeignName{"dataset", "data_reader"},
    ForeignName{"dataloader", "data_reader"},
    ForeignName{"net", "model"},
    ForeignName{"network", "model"},
    ForeignName{"training", "trainer"},
    // Initializers
    ForeignName{"kaimingnormal", "he_normal_initializer"},
    ForeignName{"kaiminguniform", "he_uniform_initializer"},
    ForeignName{"xaviernormal", "glorot_normal_initializer"},
    ForeignName{"xavieruniform", "glorot_uniform_initializer"},
    ForeignName{"zeros", "constant_initializer"},
    ForeignName{"ones", "constant_initializer", "with `value: 1`"},
    ForeignName{"constant", "constant_initializer"},
};

}  // namespace

std::span<ForeignName const> foreign_names() { return rows; }

std::vector<ForeignName const*> translations(std::string_view name,
                                             std::vector<std::string_view> const& accepted) {
  std::string plain;
  for (unsigned char c : name)
    if (c != '_' && c != '-') plain += static_cast<char>(std::tolower(c));
  std::vector<ForeignName const*> found;
  for (auto const& row : rows)
    if (row.theirs == plain && (row.ours.empty() || std::find(accepted.begin(), accepted.end(),
                                                              row.ours) != accepted.end()))
      found.push_back(&row);
  return found;
}

}  // namespace lbann::compiler
