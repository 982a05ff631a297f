// Looking up callbacks' types.
#include "compiler/callbacks/callback.hpp"

#include <algorithm>

namespace lbann::compiler {

std::vector<CallbackType> make_callback_types();

CallbackTypes::CallbackTypes() : types_(make_callback_types()) {}

CallbackType const* CallbackTypes::find(std::string_view name) const {
  for (auto const& type : types_)
    if (type.declaration.name == name) return &type;
  return nullptr;
}

std::vector<TensorId> CallbackLowering::learning_rates(std::vector<WeightsId> const& ids) const {
  std::vector<TensorId> rates;
  for (auto const id : ids)
    if (auto const rate = learning_rate(id); std::ranges::find(rates, rate) == rates.end())
      rates.push_back(rate);
  return rates;
}

}  // namespace lbann::compiler
