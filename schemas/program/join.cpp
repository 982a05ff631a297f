// Joining instructions by composing their expressions.
#include "schemas/program/join.hpp"

#include <algorithm>

#include "schemas/expression/builder.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/expression/registers.hpp"
#include "schemas/operators/sorted_picks.hpp"

namespace lbann {

namespace {

/// Functions and constants of one fused expression; keeps the bytecode within its tables and the
/// time of fusion linear.
constexpr std::ptrdiff_t max_functions = 96, max_constants = 32;

bool contains(std::vector<TensorId> const& ids, TensorId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// The parts of a map, reduce, product or sum of a table that a join works on.
struct Parts {
  Expression const* expression = nullptr;
  std::size_t factors = 0;  ///< leading inputs that are no operands of the expression
  Shape shape;
  DataType compute{};
};

/// Whether a scatter adds up a table range by range, each of which is in a cache when its epilogue
/// runs. A table that fits into a cache is summed as a whole, and its map loses nothing.
bool is_table_in_ranges(operators::scatter const& scatter, DataType type) {
  if (scatter.axis != 0 || scatter.batch_axes != 0 || scatter.shape.rank() != 2) return false;
  auto const& extents = scatter.shape.extents;
  if (extents[1].batch) return false;
  auto const row = operators::rules::times(extents[1].size, std::int64_t(bytes_of(type)));
  return operators::rules::sorted_picks(extents[0].size, row, 1).has_value();
}

std::optional<Parts> parts_of(Program const& program, Instruction const& instruction) {
  if (auto const* map = std::get_if<operators::map>(&instruction.op))
    return Parts{&map->expression, 0, map->shape, map->compute};
  if (auto const* reduce = std::get_if<operators::reduce>(&instruction.op))
    return Parts{&reduce->expression, 0, reduce->shape, reduce->compute};
  auto const* const epilogue = epilogue_of(instruction.op);
  if (epilogue == nullptr) return std::nullopt;
  auto const type = compute_type_of(program[instruction.inputs[0]].type.type);
  if (type != DataType::f32 && type != DataType::f64) return std::nullopt;
  if (auto const* scatter = std::get_if<operators::scatter>(&instruction.op);
      scatter != nullptr &&
      (program[instruction.inputs[0]].type.type != type || !is_table_in_ranges(*scatter, type)))
    return std::nullopt;
  return Parts{epilogue, 2, program[instruction.outputs[0]].type.shape, type};
}

/// The function that rounds as tensors of `type` do, if that is rounding.
std::optional<Function> rounding_to(DataType type) {
  if (type == DataType::bf16) return Function::bfloat16;
  if (type == DataType::f16) return Function::float16;
  return std::nullopt;
}

std::ptrdiff_t count(Expression const& expression, Node::Kind kind) {
  return std::ranges::count(expression.nodes, kind, &Node::kind);
}

bool small_enough(Expression const& expression) {
  return count(expression, Node::Kind::function) <= max_functions &&
         count(expression, Node::Kind::constant) <= max_constants && within_limits(expression);
}

/// The expression under construction and the tensors its operands stand for.
struct Joining {
  ExpressionBuilder builder{Algebra::verbatim};
  std::vector<TensorId> operands;
  std::size_t first_operand = 0;  ///< 1 if operand 0 is a product

  Term operand(TensorId id) {
    auto const found = std::find(operands.begin(), operands.end(), id);
    auto const index = static_cast<std::size_t>(found - operands.begin());
    if (found == operands.end()) operands.push_back(id);
    return builder.operand(first_operand + index);
  }
};

/// What a tensor of `type` holds of a term computed in `compute`; nothing if it is not known.
std::optional<Term> as_stored(Joining& joining, Term term, DataType type, DataType compute) {
  if (auto const rounding = rounding_to(type))
    return joining.builder.is_rounded(term, *rounding) ? term
                                                       : joining.builder.apply(*rounding, {term});
  return type == compute ? std::optional(term) : std::nullopt;
}

/// Puts `expression` over `joining.operands` into `instruction`; unused operands go.
void set_expression(Instruction& instruction, Joining const& joining, Expression expression,
                    std::vector<DataType> types, std::size_t factors) {
  std::vector<std::size_t> numbers(joining.first_operand + joining.operands.size(), 0);
  instruction.inputs.resize(factors);
  std::size_t next = joining.first_operand;
  for (auto number : used_operands(expression)) {
    if (number < joining.first_operand) continue;
    numbers[number] = next++;
    instruction.inputs.push_back(joining.operands[number - joining.first_operand]);
  }
  expression = renumbered(expression, numbers);
  if (auto* map = std::get_if<operators::map>(&instruction.op)) {
    map->expression = std::move(expression);
    map->types = std::move(types);
  } else if (auto* reduce = std::get_if<operators::reduce>(&instruction.op)) {
    reduce->expression = std::move(expression);
  } else {
    std::visit(
        [&](auto& product) {
          if constexpr (requires { product.epilogue; }) {
            product.epilogue = std::move(expression);
            product.types = std::move(types);
          }
        },
        instruction.op);
  }
}

/// What `first` computes, as terms, one per output.
std::vector<Term> terms_of(Joining& joining, Instruction const& first, Parts const& parts) {
  std::vector<Term> operands;
  if (parts.factors != 0) operands.push_back(joining.builder.operand(0));
  for (std::size_t i = parts.factors; i < first.inputs.size(); ++i)
    operands.push_back(joining.operand(first.inputs[i]));
  if (parts.expression->empty()) return {operands[0]};
  return joining.builder.inlined(*parts.expression, operands);
}

}  // namespace

Expression const* epilogue_of(Operator const& op) {
  return std::visit(
      [](auto const& product) -> Expression const* {
        if constexpr (requires { product.epilogue; })
          return &product.epilogue;
        else
          return nullptr;
      },
      op);
}

std::optional<Instruction> joined(Program const& program, Instruction const& first,
                                  Instruction const& second, std::vector<TensorId> const& kept) {
  auto const a = parts_of(program, first), b = parts_of(program, second);
  auto const* reduce = std::get_if<operators::reduce>(&second.op);
  if (!a || !b || b->factors != 0 || std::holds_alternative<operators::reduce>(first.op) ||
      a->shape != b->shape || a->compute != b->compute)
    return std::nullopt;
  if (reduce != nullptr && (a->factors != 0 || !kept.empty())) return std::nullopt;

  Joining joining;
  joining.first_operand = a->factors != 0 ? 1 : 0;
  auto const made = terms_of(joining, first, *a);
  std::vector<Term> operands;
  for (auto const input : second.inputs) {
    auto const output = std::find(first.outputs.begin(), first.outputs.end(), input);
    if (output == first.outputs.end()) {
      operands.push_back(joining.operand(input));
    } else {
      auto const term = made[static_cast<std::size_t>(output - first.outputs.begin())];
      auto const stored = as_stored(joining, term, program[input].type.type, a->compute);
      if (!stored) return std::nullopt;
      operands.push_back(*stored);
    }
  }
  auto const results = joining.builder.inlined(*b->expression, operands);

  Instruction instruction{reduce != nullptr ? second.op : first.op,
                          first.inputs,
                          {},
                          first.origin,
                          first.factor_broadcast};
  std::vector<Term> terms;
  std::vector<DataType> types;
  auto const write = [&](TensorId id, Term term) {
    instruction.outputs.push_back(id);
    terms.push_back(term);
    types.push_back(program[id].type.type);
  };
  for (std::size_t o = 0; o < first.outputs.size(); ++o)
    if (contains(kept, first.outputs[o])) write(first.outputs[o], made[o]);
  for (std::size_t o = 0; o < second.outputs.size(); ++o) {
    if (contains(instruction.outputs, second.outputs[o])) return std::nullopt;
    write(second.outputs[o], results[o]);
  }
  for (std::size_t f = 0; f < a->factors; ++f)
    if (contains(instruction.outputs, first.inputs[f])) return std::nullopt;

  auto expression = joining.builder.finish(terms);
  set_expression(instruction, joining, expression, std::move(types), a->factors);
  auto const now = parts_of(program, instruction);
  auto const most = max_operands - joining.first_operand;
  if (instruction.inputs.size() > a->factors + most || !small_enough(*now->expression))
    return std::nullopt;
  return instruction;
}

std::optional<Instruction> with_constants(Program const& program, Instruction const& first,
                                          Instruction const& second) {
  auto const a = parts_of(program, first), b = parts_of(program, second);
  if (!a || !b || b->expression->empty()) return std::nullopt;
  Joining joining;
  joining.first_operand = b->factors != 0 ? 1 : 0;
  auto const made = terms_of(joining, first, *a);
  std::vector<Term> operands;
  if (b->factors != 0) operands.push_back(joining.builder.operand(0));
  bool any = false;  // a constant that is only a factor of a product stays a tensor
  for (std::size_t i = b->factors; i < second.inputs.size(); ++i) {
    auto const output = std::find(first.outputs.begin(), first.outputs.end(), second.inputs[i]);
    if (output == first.outputs.end()) {
      operands.push_back(joining.operand(second.inputs[i]));
      continue;
    }
    any = true;
    auto const o = static_cast<std::size_t>(output - first.outputs.begin());
    auto const& node = a->expression->nodes[a->expression->outputs[o]];
    // A constant that every floating-point type holds exactly.
    auto const exact = static_cast<double>(static_cast<float>(node.constant)) == node.constant;
    auto const type = program[second.inputs[i]].type.type;
    if (node.kind != Node::Kind::constant || !exact ||
        (type != DataType::f32 && type != DataType::f64))
      return std::nullopt;
    operands.push_back(made[o]);
  }
  if (!any) return std::nullopt;
  auto instruction = second;
  std::vector<DataType> types;
  for (auto const id : second.outputs) types.push_back(program[id].type.type);
  auto const results = joining.builder.inlined(*b->expression, operands);
  set_expression(instruction, joining, joining.builder.finish(results), std::move(types),
                 b->factors);
  if (!small_enough(*parts_of(program, instruction)->expression)) return std::nullopt;
  return instruction;
}

std::optional<SunkOutput> sink_output(Program const& program, Instruction const& first,
                                      Instruction const& second, std::size_t output,
                                      std::size_t source) {
  auto const a = parts_of(program, first), b = parts_of(program, second);
  if (!a || !b || a->factors != 0 || b->factors != 0 || a->shape != b->shape ||
      a->compute != b->compute)
    return std::nullopt;
  auto const made = first.outputs[output], read = first.outputs[source];

  // What is left of the first.
  SunkOutput both{first, second};
  Joining left;
  auto terms = terms_of(left, first, *a);
  auto const held = as_stored(left, terms[source], program[read].type.type, a->compute);
  if (!held || held->node != terms[source].node) return std::nullopt;
  terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(output));
  auto const rest = left.builder.finish(terms);

  // The output as a function of the one that is read.
  Joining joining;
  auto of_source = *a->expression;
  auto const number = static_cast<std::uint32_t>(first.inputs.size());
  of_source.nodes[of_source.outputs[source]] = {Node::Kind::operand, {}, {number, 0, 0}, 0};
  std::vector<Term> operands;
  for (auto const id : first.inputs) operands.push_back(joining.operand(id));
  operands.push_back(joining.operand(read));
  auto const term = joining.builder.inlined(of_source, operands)[output];
  auto const moved = joining.builder.finish({term});
  bool reads_source = false;
  for (auto const operand : used_operands(moved)) {
    auto const id = joining.operands[operand];
    reads_source = reads_source || id == read;
    if (id != read && program[id].type.shape == a->shape) return std::nullopt;
  }
  auto const functions = count(moved, Node::Kind::function);
  if (!reads_source ||
      functions + count(rest, Node::Kind::function) != count(*a->expression, Node::Kind::function))
    return std::nullopt;

  // The second, with that in place of the operand.
  auto const stored = as_stored(joining, term, program[made].type.type, a->compute);
  if (!stored) return std::nullopt;
  operands.clear();
  for (auto const id : second.inputs)
    operands.push_back(id == made ? *stored : joining.operand(id));
  auto const types_of = [&](Instruction const& instruction) {
    std::vector<DataType> types;
    for (auto const id : instruction.outputs) types.push_back(program[id].type.type);
    return types;
  };
  set_expression(both.second, joining,
                 joining.builder.finish(joining.builder.inlined(*b->expression, operands)),
                 types_of(second), 0);
  if (both.second.inputs.size() > max_operands ||
      !small_enough(*parts_of(program, both.second)->expression))
    return std::nullopt;
  both.first.outputs.erase(both.first.outputs.begin() + static_cast<std::ptrdiff_t>(output));
  set_expression(both.first, left, rest, types_of(both.first), 0);
  return both;
}

}  // namespace lbann
