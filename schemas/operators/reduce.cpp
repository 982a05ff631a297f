// Rules of reduce.
#include "schemas/operators/reduce.hpp"

#include "schemas/expression/function_list.hpp"
#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"
#include "schemas/operators/partial_results.hpp"

namespace lbann::operators {

std::string_view formula(std::type_identity<reduce>) {
  return "operands, each broadcast to `shape` -> outputs [shape without `axes`]\n"
         "output[i] = sum, product, max or min over j: expression(operands[i, j]), j over `axes`\n"
         "elements are computed in `compute`, sums and products taken in f64; over nothing a "
         "sum is 0, a product 1";
}

Result<TensorTypes> reduce::infer(std::span<TensorType const> inputs) const {
  if (expression.outputs.empty()) return rules::problem(name, "reduces at least one output");
  if (auto misfit = rules::find_misfit(name, inputs, expression, compute, shape)) return *misfit;
  auto const kept = rules::without_axes(shape, axes);
  if (!kept) return rules::problem(name, "axes are not ascending axes of " + to_text(shape));
  return TensorTypes(expression.outputs.size(), {type, *kept});
}

Loops reduce::loops(Signature const& signature) const {
  rules::LoopsBuilder loops(signature);
  // Partial products and extremes cannot be added up.
  auto const along = mode == ReduceMode::sum ? LoopKind::summed : LoopKind::whole;
  std::size_t reduced = 0;
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    bool const vanishes = reduced < axes.size() && axes[reduced] == static_cast<std::int64_t>(i);
    auto const loop = loops.add(vanishes ? along : LoopKind::parallel, shape.extents[i], {});
    for (std::size_t o = 0; !vanishes && o < signature.outputs.size(); ++o)
      loops.set(rules::output(o, i - reduced), loop);
    reduced += vanishes ? 1 : 0;
  }
  loops.broadcast(0, shape);
  return std::move(loops).finish();
}

namespace {

/// The backward rule of one reduction.
class ReduceRule {
 public:
  ReduceRule(reduce const& op, BackwardContext& context)
      : op_(op),
        context_(context),
        kept_(op.axes.size() == op.shape.rank() ? Shape{} : rules::with_ones(op.shape, op.axes)) {
    for (std::size_t i = 0; i < context.input_count(); ++i) operands_.push_back(context.input(i));
    for (std::size_t o = 0; o < op.expression.outputs.size(); ++o) {
      auto const gradient = context.output_gradient(o);
      has_gradient_.push_back(gradient.valid());
      operands_.push_back(gradient.valid() ? keep(gradient) : gradient);
    }
    add_operands();
  }

  void run() {
    std::vector<rules::OperandGradient> gradients;
    for (std::size_t i = 0; i < context_.input_count(); ++i) {
      if (!context_.wants(i)) continue;
      // Operands of the derivative: inputs, value of each element, gradient of each element.
      auto derivative = gradient_of(op_.expression, i, has_gradient_);
      if (!derivative) continue;
      ExpressionBuilder builder;
      std::vector<Term> terms;
      for (std::size_t k = 0; k < context_.input_count(); ++k) terms.push_back(builder.operand(k));
      auto const values = builder.inlined(op_.expression, terms);
      terms.insert(terms.end(), values.begin(), values.end());
      for (std::size_t o = 0; o < values.size(); ++o)
        terms.push_back(element_gradient(builder, values[o], o));
      gradients.push_back({i, builder.finish(builder.inlined(*derivative, terms))});
    }
    rules::contribute_elementwise(context_, std::move(gradients), operands_, op_.shape,
                                  op_.compute);
  }

 private:
  /// A result with the reduced axes kept as extents of 1, as long as any is left.
  TensorId keep(TensorId tensor) { return rules::reshaped(context_, tensor, kept_); }

  /// The same reduction of `change(value of the element)`.
  template <class Change>
  std::vector<TensorId> reduction_of(ReduceMode mode, Change change) {
    ExpressionBuilder builder;
    std::vector<Term> terms;
    for (std::size_t i = 0; i < context_.input_count(); ++i) terms.push_back(builder.operand(i));
    auto values = builder.inlined(op_.expression, terms);
    for (auto& value : values) {
      auto const zero = builder.apply(Function::equal, {value, builder.constant(0)});
      value = change(builder, zero, value);
    }
    auto rule = op_;
    rule.mode = mode;
    rule.expression = builder.finish(values);
    return context_.emit(std::move(rule),
                         {operands_.begin(),
                          operands_.begin() + static_cast<std::ptrdiff_t>(context_.input_count())});
  }

  /// What element gradients need beside inputs and gradients of outputs.
  void add_operands() {
    auto const add = [&](std::vector<TensorId> const& results) {
      for (auto const result : results) operands_.push_back(keep(result));
    };
    std::vector<TensorId> outputs;
    for (std::size_t o = 0; o < has_gradient_.size(); ++o) outputs.push_back(context_.output(o));
    if (op_.mode == ReduceMode::max || op_.mode == ReduceMode::min) add(outputs);
    if (op_.mode != ReduceMode::product) return;
    add(reduction_of(ReduceMode::sum, [](ExpressionBuilder&, Term zero, Term) { return zero; }));
    add(reduction_of(ReduceMode::product, [](ExpressionBuilder& builder, Term zero, Term value) {
      return builder.apply(Function::select, {zero, builder.constant(1), value});
    }));
  }

  /// Gradient of an element with value `value` of output `o`.
  Term element_gradient(ExpressionBuilder& builder, Term value, std::size_t o) {
    auto const outputs = has_gradient_.size();
    auto const operand = [&](std::size_t group) {
      return builder.operand(context_.input_count() + group * outputs + o);
    };
    auto const gradient = operand(0), nothing = builder.constant(0);
    auto const choice = [&](Term condition, Term a, Term b) {
      return builder.apply(Function::select, {condition, a, b});
    };
    switch (op_.mode) {
      case ReduceMode::sum:
        return gradient;
      case ReduceMode::max:
      case ReduceMode::min:
        // Every element that equals the result gets the gradient.
        return choice(builder.apply(Function::equal, {value, operand(1)}), gradient, nothing);
      case ReduceMode::product:
        break;
    }
    // The product of all others: of a single zero that of all the rest, with more zeros nothing.
    auto const zeros = operand(1), rest = operand(2);
    auto const is = [&](Term term, double number) {
      return builder.apply(Function::equal, {term, builder.constant(number)});
    };
    auto const alone = builder.apply(Function::logical_and, {is(zeros, 1), is(value, 0)});
    return gradient * choice(is(zeros, 0), rest / value, choice(alone, rest, nothing));
  }

  reduce const op_;  ///< copied: the instruction moves when others are added
  BackwardContext& context_;
  Shape kept_;
  std::vector<bool> has_gradient_;
  /// Inputs, gradients of the outputs, and what `add_operands` adds for each output.
  std::vector<TensorId> operands_;
};

}  // namespace

void reduce::backward(reduce const& op, BackwardContext& context) {
  bool any = false;
  for (std::size_t o = 0; o < op.expression.outputs.size(); ++o)
    any = any || context.output_gradient(o).valid();
  if (any) ReduceRule(op, context).run();
}

std::int64_t reduce::flops(Signature const&, std::int64_t samples) const {
  auto const each =
      rules::functions_in(expression) + static_cast<std::int64_t>(expression.outputs.size());
  return rules::times(each, shape.elements(samples));
}

std::int64_t reduce::scratch_bytes(Signature const& signature, std::int64_t samples,
                                   std::int64_t) const {
  // In f64.
  auto const partials = rules::most_partials(signature.outputs[0].shape.elements(samples));
  return rules::times(rules::times(partials, 8),
                      static_cast<std::int64_t>(signature.outputs.size()));
}

}  // namespace lbann::operators
