// Ahead-of-time (AOT) kernels: frequent expressions compiled into one loop each, of the same scalar
// functions as the bytecode calls, so that both give the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/functions/all.hpp"

namespace lbann::kernels {

/// What a definition below computes with: numbers when the kernel runs, nodes of an expression when
/// its pattern is written down for matching.
template <class T>
struct Number {
  T value;
};
struct Symbol {
  Expression* expression;
  std::uint32_t node;
};

template <class F, class T, class... Rest>
LBANN_FUNCTION Number<T> call(Number<T> first, Rest... rest) {
  return {F::value(first.value, rest.value...)};
}
template <class F, class... Rest>
Symbol call(Symbol first, Rest... rest) {
  Node node{Node::Kind::function, *function_named(F::name), {first.node, rest.node...}, 0};
  first.expression->nodes.push_back(node);
  return {first.expression, static_cast<std::uint32_t>(first.expression->nodes.size() - 1)};
}

namespace aot {

using namespace functions;
using functions::divide;  // and not the one of indices

/// Numbers of operands i, constants c and outputs o of an AOT kernel, and the variants compiled:
/// bit k of a variant says that operand k is one scalar for the whole tile.
template <std::size_t i, std::size_t c, std::size_t o, std::uint16_t... single>
struct Form {
  static constexpr std::size_t operands = i, constants = c, outputs = o;
  static constexpr std::array<std::uint16_t, sizeof...(single)> variants = {single...};
};

/// Joined maps compute what was stored in f32, or round it as bf16 tensors would have held it.
struct InF32 {
  static constexpr bool narrow = false;
  template <class V>
  LBANN_FUNCTION static V stored(V x) {
    return x;
  }
};
struct InBf16 {
  static constexpr bool narrow = true;
  template <class V>
  LBANN_FUNCTION static V stored(V x) {
    return call<bfloat16>(x);
  }
};

// Each: its form, its name, and what is computed.

/// x where x > c, else c.
struct relu : Form<1, 1, 1, 0b0> {
  static constexpr std::string_view name = "relu";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[0] = call<select>(call<less_equal>(i[0], c[0]), c[0], i[0]);
  }
};

/// The same of x + b.
struct bias_relu : Form<2, 1, 1, 0b00, 0b10> {
  static constexpr std::string_view name = "bias_relu";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    V const sum = call<add>(i[0], i[1]);
    o[0] = call<select>(call<less_equal>(sum, c[0]), c[0], sum);
  }
};

/// The gradient of a relu whose result is y: dy where y > c[0], else 0; c[0] is 0, c[1] is 1.
template <class V>
LBANN_FUNCTION V relu_backward(V dy, V y, V const* c) {
  return call<multiply>(dy, call<select>(call<less_equal>(y, c[0]), c[0], c[1]));
}

template <class Type>
struct relu_gradient : Form<2, 2, 1, 0b00> {
  static constexpr std::string_view name = Type::narrow ? "relu_gradient_bf16" : "relu_gradient";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[0] = relu_backward(Type::stored(i[0]), i[1], c);
  }
};

/// The same of dy in two parts.
template <class Type>
struct relu_gradient_of_sum : Form<3, 2, 1, 0b000> {
  static constexpr std::string_view name =
      Type::narrow ? "relu_gradient_of_sum_bf16" : "relu_gradient_of_sum";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[0] = relu_backward(Type::stored(call<add>(i[0], i[1])), i[2], c);
  }
};

struct bias_sigmoid : Form<2, 0, 1, 0b00, 0b10> {
  static constexpr std::string_view name = "bias_sigmoid";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const*, V* o) {
    o[0] = call<sigmoid>(call<add>(i[0], i[1]));
  }
};

/// dy y (1 - y).
struct sigmoid_gradient : Form<2, 1, 1, 0b00> {
  static constexpr std::string_view name = "sigmoid_gradient";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[0] = call<multiply>(i[0], call<multiply>(i[1], call<subtract>(c[0], i[1])));
  }
};

/// w - rate g.
struct sgd : Form<3, 0, 1, 0b100> {
  static constexpr std::string_view name = "sgd";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const*, V* o) {
    o[0] = call<subtract>(i[0], call<multiply>(i[2], i[1]));
  }
};

/// v' = momentum v + g; w' = w - rate v'.
struct sgd_momentum : Form<4, 1, 2, 0b0100> {
  static constexpr std::string_view name = "sgd_momentum";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[1] = call<add>(call<multiply>(i[3], c[0]), i[1]);
    o[0] = call<subtract>(i[0], call<multiply>(i[2], o[1]));
  }
};

/// The same of a gradient in two parts.
struct sgd_momentum_of_sum : Form<5, 1, 2, 0b01000> {
  static constexpr std::string_view name = "sgd_momentum_of_sum";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[1] = call<add>(call<multiply>(i[4], c[0]), call<add>(i[0], i[1]));
    o[0] = call<subtract>(i[2], call<multiply>(i[3], o[1]));
  }
};

/// v' = momentum v + g; w' = w - rate (momentum v' + g).
struct sgd_nesterov : Form<4, 1, 2, 0b0100> {
  static constexpr std::string_view name = "sgd_nesterov";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[1] = call<add>(call<multiply>(i[3], c[0]), i[1]);
    V const direction = call<add>(call<multiply>(o[1], c[0]), i[1]);
    o[0] = call<subtract>(i[0], call<multiply>(i[2], direction));
  }
};

/// Means and step of Adam: m' = c[0] m + c[1] g; s' = c[2] s + c[3] g g;
/// rate m' / (sqrt(s') + c[4]). What belongs to a gradient that is not below c[5] stays as it is.
template <class V>
struct AdamStep {
  V mean, square, step, finite;

  LBANN_FUNCTION AdamStep(V const* i, V const* c) {
    mean = call<add>(call<multiply>(i[3], c[0]), call<multiply>(i[1], c[1]));
    V const newest = call<multiply>(call<multiply>(i[1], i[1]), c[3]);
    square = call<add>(call<multiply>(i[4], c[2]), newest);
    step = call<divide>(call<multiply>(i[2], mean), call<add>(call<sqrt>(square), c[4]));
    finite = call<less>(call<abs>(i[1]), c[5]);
  }

  LBANN_FUNCTION void keep(V next, V const* i, V* o) const {
    o[0] = call<select>(finite, next, i[0]);
    o[1] = call<select>(finite, mean, i[3]);
    o[2] = call<select>(finite, square, i[4]);
  }
};

/// w' = w - step.
struct adam : Form<5, 6, 3, 0b00100> {
  static constexpr std::string_view name = "adam";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    AdamStep<V> const adam(i, c);
    adam.keep(call<subtract>(i[0], adam.step), i, o);
  }
};

/// w' = w - step - c[6] rate w.
struct adamw : Form<6, 7, 3, 0b100100> {
  static constexpr std::string_view name = "adamw";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    AdamStep<V> const adam(i, c);
    V const decay = call<multiply>(call<multiply>(i[5], c[6]), i[0]);
    adam.keep(call<subtract>(call<subtract>(i[0], adam.step), decay), i, o);
  }
};

/// s' = s + g g; w' = w - rate g / (sqrt(s') + c[0]).
struct adagrad : Form<4, 1, 2, 0b0100> {
  static constexpr std::string_view name = "adagrad";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[1] = call<add>(i[3], call<multiply>(i[1], i[1]));
    V const size = call<add>(call<sqrt>(o[1]), c[0]);
    o[0] = call<subtract>(i[0], call<divide>(call<multiply>(i[2], i[1]), size));
  }
};

/// s' = c[0] s + c[1] g g; w' = w - rate g / (sqrt(s') + c[2]).
struct rmsprop : Form<4, 3, 2, 0b0100> {
  static constexpr std::string_view name = "rmsprop";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    V const newest = call<multiply>(call<multiply>(i[1], i[1]), c[1]);
    o[1] = call<add>(call<multiply>(i[3], c[0]), newest);
    V const size = call<add>(call<sqrt>(o[1]), c[2]);
    o[0] = call<subtract>(i[0], call<divide>(call<multiply>(i[2], i[1]), size));
  }
};

/// x normalised by a mean i[1] and a factor i[2], moved by i[3].
template <class V>
LBANN_FUNCTION V normalised(V const* i) {
  return call<add>(call<multiply>(call<subtract>(i[0], i[1]), i[2]), i[3]);
}
/// x where x > zero, else zero.
template <class V>
LBANN_FUNCTION V rectified(V x, V zero) {
  return call<select>(call<less_equal>(x, zero), zero, x);
}
struct normalise : Form<4, 0, 1, 0b1110> {
  static constexpr std::string_view name = "normalise";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const*, V* o) {
    o[0] = normalised(i);
  }
};

template <class Type>
struct normalise_relu : Form<4, 1, 1, 0b1110> {
  static constexpr std::string_view name = Type::narrow ? "normalise_relu_bf16" : "normalise_relu";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[0] = rectified(Type::stored(normalised(i)), c[0]);
  }
};

/// The same once more where it was not kept, and the gradient before the relu: dy is i[4].
template <class Type>
struct normalise_relu_gradient : Form<5, 2, 2, 0b01110> {
  static constexpr std::string_view name =
      Type::narrow ? "normalise_relu_gradient_bf16" : "normalise_relu_gradient";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    o[0] = rectified(Type::stored(normalised(i)), c[0]);
    o[1] = relu_backward(Type::stored(i[4]), o[0], c);
  }
};

/// With i[4] added before.
template <class Type>
struct normalise_add_relu : Form<5, 1, 1, 0b01110> {
  static constexpr std::string_view name =
      Type::narrow ? "normalise_add_relu_bf16" : "normalise_add_relu";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    auto const sum = call<add>(Type::stored(normalised(i)), i[4]);
    o[0] = rectified(Type::stored(sum), c[0]);
  }
};

/// The same once more, and its gradient: dy is the sum of i[5] and i[6].
template <class Type>
struct normalise_add_relu_gradient : Form<7, 2, 2, 0b0001110> {
  static constexpr std::string_view name =
      Type::narrow ? "normalise_add_relu_gradient_bf16" : "normalise_add_relu_gradient";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    normalise_add_relu<Type>::define(i, c, o);
    o[1] = relu_backward(Type::stored(call<add>(i[5], i[6])), o[0], c);
  }
};

/// The sum of two normalised tensors.
template <class Type>
struct normalise_both_relu : Form<8, 1, 1, 0b11101110> {
  static constexpr std::string_view name =
      Type::narrow ? "normalise_both_relu_bf16" : "normalise_both_relu";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    auto const sum = call<add>(Type::stored(normalised(i)), Type::stored(normalised(i + 4)));
    o[0] = rectified(Type::stored(sum), c[0]);
  }
};

/// The same once more, and its gradient: dy is the sum of i[8] and i[9].
template <class Type>
struct normalise_both_relu_gradient : Form<10, 2, 2, 0b0011101110> {
  static constexpr std::string_view name =
      Type::narrow ? "normalise_both_relu_gradient_bf16" : "normalise_both_relu_gradient";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    normalise_both_relu<Type>::define(i, c, o);
    o[1] = relu_backward(Type::stored(call<add>(i[8], i[9])), o[0], c);
  }
};

/// What a normalisation sums over its axes in the gradient: dy is i[2], the mean i[1].
struct normalise_sums : Form<3, 0, 2, 0b010> {
  static constexpr std::string_view name = "normalise_sums";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const*, V* o) {
    o[0] = i[2];
    o[1] = call<multiply>(i[2], call<subtract>(i[0], i[1]));
  }
};

/// And the gradient of x: dy, i[5], times the factor i[6] as if the statistics were fixed, i[1] /
/// i[0] by way of the mean, c[0] i[4] (x - mean) by way of the squares' sum.
template <class Type>
struct normalise_gradient : Form<7, 1, 1, 0b1010111> {
  static constexpr std::string_view name =
      Type::narrow ? "normalise_gradient_bf16" : "normalise_gradient";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    V const slope = call<multiply>(i[4], c[0]);
    V const square_part = call<multiply>(call<subtract>(i[3], i[2]), slope);
    V const fixed_part = Type::stored(call<multiply>(i[5], i[6]));
    o[0] = call<add>(fixed_part, Type::stored(call<add>(call<divide>(i[1], i[0]), square_part)));
  }
};

/// c[0] x (c[1] + tanh(c[2] (x + c[3] x^3))): the approximation of gelu.
struct gelu : Form<1, 4, 1, 0b0> {
  static constexpr std::string_view name = "gelu";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    V const cube = call<multiply>(c[3], call<multiply>(call<square>(i[0]), i[0]));
    V const bend = call<tanh>(call<multiply>(c[2], call<add>(i[0], cube)));
    o[0] = call<multiply>(call<multiply>(c[0], i[0]), call<add>(c[1], bend));
  }
};

/// The gradient of gelu, dy is i[1]; c[0] is sqrt(2 / pi), c[1] 0.044715, c[2] 0.5, c[3] 1, c[4] 2.
struct gelu_gradient : Form<2, 5, 1, 0b00> {
  static constexpr std::string_view name = "gelu_gradient";
  template <class V>
  LBANN_FUNCTION static void define(V const* i, V const* c, V* o) {
    V const square_of_x = call<square>(i[0]);
    V const cube = call<multiply>(c[1], call<multiply>(square_of_x, i[0]));
    V const bend = call<tanh>(call<multiply>(c[0], call<add>(i[0], cube)));
    V const slope = call<subtract>(c[3], call<square>(bend));
    V const inner = call<multiply>(
        call<multiply>(call<multiply>(i[1], call<multiply>(c[2], i[0])), slope), c[0]);
    V const cubic = call<multiply>(inner, c[1]);
    V const of_square = call<multiply>(cubic, square_of_x);
    V const of_factor = call<multiply>(call<multiply>(cubic, i[0]), call<multiply>(c[4], i[0]));
    V const of_half = call<multiply>(call<multiply>(i[1], call<add>(c[3], bend)), c[2]);
    o[0] = call<add>(call<add>(call<add>(inner, of_square), of_factor), of_half);
  }
};

using List = std::tuple<
    normalise, normalise_relu<InF32>, normalise_relu<InBf16>, normalise_relu_gradient<InF32>,
    normalise_relu_gradient<InBf16>, normalise_add_relu<InF32>, normalise_add_relu<InBf16>,
    normalise_add_relu_gradient<InF32>, normalise_add_relu_gradient<InBf16>,
    normalise_both_relu<InF32>, normalise_both_relu<InBf16>, normalise_both_relu_gradient<InF32>,
    normalise_both_relu_gradient<InBf16>, normalise_sums, normalise_gradient<InF32>,
    normalise_gradient<InBf16>, relu_gradient<InF32>, relu_gradient<InBf16>,
    relu_gradient_of_sum<InF32>, relu_gradient_of_sum<InBf16>, gelu, gelu_gradient, relu, bias_relu,
    bias_sigmoid, sigmoid_gradient, sgd, sgd_momentum, sgd_momentum_of_sum, sgd_nesterov, adam,
    adamw, adagrad, rmsprop>;

}  // namespace aot

/// How an expression matches an AOT kernel: which of its operands, constant nodes and outputs stand
/// for those of the kernel.
struct AotMatch {
  std::uint8_t kernel = 0;  ///< place in the list, from 1
  std::uint16_t variant = 0;
  std::vector<std::uint32_t> operands, constants, outputs;
};

/// The first AOT kernel that equals `expression` up to the order of operands, of outputs and of the
/// arguments of sums and products, and that has the variant given by `is_scalar(operand)`.
std::optional<AotMatch> match_aot_kernel(Expression const& expression,
                                         std::function<bool(std::size_t)> const& is_scalar);

/// Name of AOT kernel number `kernel`, counted from 1.
std::string_view aot_kernel_name(std::uint8_t kernel);

/// The expression AOT kernel number `kernel` computes, its constants taken from `constants`.
Expression aot_kernel_expression(std::uint8_t kernel, std::vector<double> const& constants);
std::size_t aot_kernel_count();

}  // namespace lbann::kernels
