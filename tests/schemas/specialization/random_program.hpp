// Programs drawn at random that keep every rule.
#pragma once

#include <cstdint>

#include "schemas/program/program.hpp"

namespace lbann::tests {

/// A sound program with `train` and `evaluate` of some `size` instructions each, made of maps,
/// products, reductions, reshapes (also from and to state, inputs, results, gradients),
/// collectives over `data`, updates of weights with momentum.
Program random_program(std::uint64_t seed, std::size_t size);

}  // namespace lbann::tests
