// Gradients of expressions over elements: which are summed, in how many passes, and what factors
// leave the sums.
#include <algorithm>
#include <array>
#include <ranges>

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_info.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/expression/registers.hpp"
#include "schemas/operators/list.hpp"
#include "schemas/operators/rules.hpp"

namespace lbann::operators::rules {

namespace {

/// Takes the operands that are not used out of `expression` and `operands`.
void drop_unused(Expression& expression, std::vector<TensorId>& operands) {
  std::vector<std::size_t> numbers(expression.operand_count(), 0);
  std::vector<TensorId> inputs;
  for (auto number : used_operands(expression)) {
    auto const known = std::find(inputs.begin(), inputs.end(), operands[number]);
    numbers[number] = static_cast<std::size_t>(known - inputs.begin());
    if (known == inputs.end()) inputs.push_back(operands[number]);
  }
  expression = renumbered(expression, numbers);
  operands = std::move(inputs);
}

/// The outputs of both expressions over the same operands; nothing beyond the limits of one pass.
std::optional<Expression> together(Expression const& a, Expression const& b) {
  ExpressionBuilder builder(Algebra::verbatim);
  std::vector<Term> terms, outputs;
  for (std::size_t i = 0; i < std::max(a.operand_count(), b.operand_count()); ++i)
    terms.push_back(builder.operand(i));
  for (auto const* expression : {&a, &b})
    for (auto const output : builder.inlined(*expression, terms)) outputs.push_back(output);
  auto both = builder.finish(outputs);
  bool const fits = both.outputs.size() <= max_outputs &&
                    used_operands(both).size() <= max_operands && within_limits(both);
  return fits ? std::optional(std::move(both)) : std::nullopt;
}

/// The axes of `shape` along which an operand of shape `from` is broadcast.
std::vector<std::int64_t> broadcast_axes(Shape const& from, Shape const& shape) {
  std::vector<std::int64_t> axes;
  auto const skipped = shape.rank() - from.rank();
  for (std::size_t axis = 0; axis < shape.rank(); ++axis)
    if (axis < skipped || from.extents[axis - skipped] != shape.extents[axis])
      axes.push_back(static_cast<std::int64_t>(axis));
  return axes;
}

bool can_broadcast(Shape const& from, Shape const& to) {
  if (from.rank() > to.rank()) return false;
  auto const skipped = to.rank() - from.rank();
  for (std::size_t axis = 0; axis < from.rank(); ++axis)
    if (from.extents[axis] != Extent{1, false} && from.extents[axis] != to.extents[axis + skipped])
      return false;
  return true;
}

/// Takes factors out of `summed` that are the same in all terms of a sum, those that read only
/// operands for which `is_fixed(number)` holds. Gives what is to become of the sum, which is
/// operand number `total`; nothing if there are no such factors.
template <class IsFixed>
std::optional<Expression> take_out_factors(Expression& summed, std::size_t total,
                                           IsFixed const& is_fixed) {
  ExpressionBuilder builder(Algebra::verbatim);
  std::vector<Term> operands;
  for (std::size_t i = 0; i < summed.operand_count(); ++i) operands.push_back(builder.operand(i));
  auto const terms = builder.inlined_nodes(summed, operands);

  auto const& nodes = summed.nodes;
  auto const arity = [&](Node const& node) {
    return node.kind == Node::Kind::function ? info_of(node.function).arity : std::size_t{0};
  };
  // Of each node, whether it is the same in all terms, and whether it reads an operand.
  std::vector<bool> fixed(nodes.size()), reads(nodes.size());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    auto const& node = nodes[n];
    reads[n] = node.kind == Node::Kind::operand;
    fixed[n] = !reads[n] || is_fixed(node.arguments[0]);
    for (std::size_t a = 0; a < arity(node); ++a) {
      fixed[n] = fixed[n] && fixed[node.arguments[a]];
      reads[n] = reads[n] || reads[node.arguments[a]];
    }
  }

  // From the outside in: functions that are linear in one argument, and its number.
  std::vector<std::pair<std::uint32_t, std::size_t>> taken;
  auto left = summed.outputs[0];
  for (bool factors = false;;) {
    auto const& node = nodes[left];
    auto const& x = node.arguments;
    bool const product = arity(node) == 2 && node.function == Function::multiply;
    bool const quotient = arity(node) == 2 && node.function == Function::divide;
    if ((product || quotient) && fixed[x[1]] && reads[x[0]]) {
      taken.emplace_back(left, 0);
      factors = factors || reads[x[1]];
    } else if (product && fixed[x[0]] && reads[x[1]]) {
      taken.emplace_back(left, 1);
      factors = factors || reads[x[0]];
    } else if (arity(node) == 1 && node.function == Function::negative) {
      taken.emplace_back(left, 0);
    } else if (factors) {
      break;
    } else {
      return std::nullopt;
    }
    left = x[taken.back().second];
  }
  auto result = builder.operand(total);
  for (auto const& [n, argument] : std::views::reverse(taken)) {
    std::array<Term, 2> x{};
    for (std::size_t a = 0; a < arity(nodes[n]); ++a)
      x[a] = a == argument ? result : terms[nodes[n].arguments[a]];
    result = builder.apply(nodes[n].function, std::span<Term const>(x.data(), arity(nodes[n])));
  }
  auto const term = terms[left];
  summed = builder.finish({term});
  return builder.finish({result});
}

}  // namespace

void contribute_elementwise(BackwardContext& context, std::vector<OperandGradient> gradients,
                            std::vector<TensorId> const& operands, Shape const& shape,
                            DataType compute) {
  /// Gradients taken in one pass: the axes summed over, and outputs, of which several operands may
  /// take one.
  struct Pass {
    TensorType type;  ///< of the first operand
    std::vector<std::int64_t> axes;
    Expression expression;
    std::vector<std::size_t> indices;
    std::vector<std::optional<Expression>> factors;  ///< of the sum, for each index
    std::vector<std::size_t> outputs = {0};          ///< number of the sum, for each index

    /// Another operand, whose gradient is the last output of `all`.
    void add(Expression all, std::size_t index, std::optional<Expression> factor) {
      auto const same = std::ranges::find(all.outputs, all.outputs.back());
      outputs.push_back(static_cast<std::size_t>(same - all.outputs.begin()));
      if (outputs.back() + 1 < all.outputs.size()) all.outputs.pop_back();
      expression = std::move(all);
      indices.push_back(index);
      factors.push_back(std::move(factor));
    }
  };
  std::vector<Pass> passes;
  for (auto& [index, gradient] : gradients) {
    // Copied: the table of tensors grows below.
    Pass own{context.type_of(context.input(index)), {}, std::move(gradient), {index}, {{}}};
    own.axes = broadcast_axes(own.type.shape, shape);
    if (!own.axes.empty() && !is_sixteen_bit(own.type.type))
      own.factors[0] = take_out_factors(own.expression, operands.size(), [&](std::size_t operand) {
        return can_broadcast(context.type_of(operands[operand]).shape, own.type.shape);
      });
    auto const same = std::ranges::find_if(passes, [&](Pass const& pass) {
      return !own.axes.empty() && pass.axes == own.axes && pass.type.type == own.type.type;
    });
    if (same != passes.end()) {
      if (auto both = together(same->expression, own.expression)) {
        same->add(std::move(*both), index, std::move(own.factors[0]));
        continue;
      }
    }
    passes.push_back(std::move(own));
  }
  for (auto& pass : passes) {
    auto inputs = operands;
    drop_unused(pass.expression, inputs);
    if (pass.axes.empty()) {
      // The gradient of the output itself needs no copy.
      auto const& node = pass.expression.nodes[pass.expression.outputs[0]];
      auto const& given = context.type_of(inputs[0]);
      if (node.kind == Node::Kind::operand && given.shape == pass.type.shape &&
          (given == pass.type || is_sixteen_bit(given.type))) {
        context.contribute(pass.indices[0], context.in_type(inputs[0], pass.type.type));
        continue;
      }
      map rule{std::move(pass.expression), shape, compute, {pass.type.type}};
      context.contribute(pass.indices[0], context.emit(std::move(rule), std::move(inputs))[0]);
      continue;
    }
    reduce rule{ReduceMode::sum, std::move(pass.expression), shape, std::move(pass.axes), compute,
                pass.type.type};
    auto const totals = context.emit(std::move(rule), std::move(inputs));
    for (std::size_t i = 0; i < pass.indices.size(); ++i) {
      auto const wanted = context.type_of(context.input(pass.indices[i])).shape;
      auto total = reshaped(context, totals[pass.outputs[i]], wanted);
      if (auto& factors = pass.factors[i]) {
        auto read = operands;
        read.push_back(total);
        drop_unused(*factors, read);
        auto const type = pass.type.type;
        total = context.emit(map{std::move(*factors), wanted, compute_type_of(type), {type}},
                             std::move(read))[0];
      }
      context.contribute(pass.indices[i], total);
    }
  }
}

}  // namespace lbann::operators::rules
