// Initializers whose variance follows from the numbers of inputs and outputs of the layer.
#include "compiler/initializers/variance_scaling.hpp"

#include <cmath>

namespace lbann::compiler::initializers {

namespace {

Operator draw(Filling const& filling, operators::Distribution distribution, double variance) {
  operators::random random;
  random.distribution = distribution;
  if (distribution == operators::Distribution::normal) {
    random.first = 0;
    random.second = std::sqrt(variance);
  } else {
    random.first = -std::sqrt(3 * variance);
    random.second = std::sqrt(3 * variance);
  }
  random.key = filling.key;
  random.shape = filling.shape;
  random.type = filling.type;
  return random;
}

}  // namespace

Operator glorot_normal_initializer::fill(Filling const& filling) const {
  return draw(filling, operators::Distribution::normal, 2 / (filling.fan_in + filling.fan_out));
}

Operator glorot_uniform_initializer::fill(Filling const& filling) const {
  return draw(filling, operators::Distribution::uniform, 2 / (filling.fan_in + filling.fan_out));
}

Operator he_normal_initializer::fill(Filling const& filling) const {
  return draw(filling, operators::Distribution::normal, 2 / filling.fan_in);
}

Operator he_uniform_initializer::fill(Filling const& filling) const {
  return draw(filling, operators::Distribution::uniform, 2 / filling.fan_in);
}

Operator lecun_normal_initializer::fill(Filling const& filling) const {
  return draw(filling, operators::Distribution::normal, 1 / filling.fan_in);
}

Operator lecun_uniform_initializer::fill(Filling const& filling) const {
  return draw(filling, operators::Distribution::uniform, 1 / filling.fan_in);
}

}  // namespace lbann::compiler::initializers
