// Shape rules that many layers share.
#pragma once

#include "compiler/layers/layer.hpp"

namespace lbann::compiler::layers {

/// One output with the dims of the first input.
std::optional<std::vector<Dims>> same_as_input(LayerContext const& context);

/// One output with the dims all inputs must have.
std::optional<std::vector<Dims>> same_as_inputs(LayerContext const& context);

/// One number per sample from inputs that must have equal dims.
std::optional<std::vector<Dims>> one_number(LayerContext const& context);

/// The dims `given` in the field of that name, else those of the hint layer. Reports it if there
/// are none, or too large ones.
std::optional<Dims> given_or_hinted(LayerContext const& context, std::string_view field,
                                    Dims const& given);

/// Number of an axis of `dims`; a negative one is counted from the last.
std::size_t axis_number(Dims const& dims, std::int64_t axis);

/// The same for `axis` of the first input, which the field `field` holds. Reports it if there is no
/// such axis.
std::optional<std::size_t> own_axis(LayerContext const& context, std::string_view field,
                                    std::int64_t axis);

/// Whether the first input has the two entries that an unbiased variance needs; reports it if not.
bool enough_entries(LayerContext const& context, bool biased);

/// Entries of one sample; nothing if they are more than a tensor may have along one axis.
std::optional<std::int64_t> entries(Dims const& dims);

/// Whether `samples` samples of these dims are within what tensors may have: axes, extents,
/// entries.
bool fits_in_a_tensor(Dims const& dims, std::int64_t samples);

/// `values` for each of `count` axes: a single value holds for all of them. Reports any
/// other number of values.
std::optional<Dims> for_each_axis(LayerContext const& context, std::string_view field,
                                  Dims const& values, std::size_t count);

/// A window moved over spatial axes, as convolution and pooling do it.
struct Window {
  Dims size, stride, padding, dilation;
  std::string_view size_field, padding_field;

  /// floor((extent + 2 padding - dilation (size - 1) - 1) / stride) + 1 for each spatial axis of
  /// `input` (its first axis is channels). Reports where the window does not fit.
  std::optional<Dims> positions(LayerContext const& context, Dims const& input) const;
};

/// Number of spatial axes: what the input's rank says, which `num_dims` must equal unless it is 0.
/// Reports it if there are none or more than three.
std::optional<std::size_t> spatial_axes(LayerContext const& context, std::int64_t num_dims);

}  // namespace lbann::compiler::layers
