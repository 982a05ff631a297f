// Names of weights in state dicts of PyTorch.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lbann::runtime {

/// `fc1.weight` for `fc1_linearity_weights`, `norm.running_var` for `norm_running_variance`: the
/// name of PyTorch for weights of the default name of a layer; nothing for other names.
std::optional<std::string> torch_name(std::string_view weights);

}  // namespace lbann::runtime
