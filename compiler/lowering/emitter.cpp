// Appending instructions to an entry point, with the tensors they write.
#include "compiler/lowering/emitter.hpp"

#include <algorithm>
#include <stdexcept>

#include "compiler/lowering/stable_hash.hpp"

namespace lbann::compiler {

std::string TensorNames::unique(std::string wanted) {
  if (hashes_.insert(stable_hash(wanted)).second) return wanted;
  for (int number = 2;; ++number) {
    auto name = wanted + "_" + std::to_string(number);
    if (hashes_.insert(stable_hash(name)).second) return name;
  }
}

TensorNames::TensorNames(Program const& program) {
  for (auto const& tensor : program.tensors) hashes_.insert(stable_hash(tensor.name));
}

Emitter::Emitter(Program& program, TensorNames& names, std::string const& entry, std::string pass)
    : program_(&program), names_(&names), entry_(0), pass_(std::move(pass)) {
  while (entry_ < program_->entry_points.size() && program_->entry_points[entry_].name != entry)
    ++entry_;
  if (entry_ == program_->entry_points.size()) program_->entry_points.push_back({entry, {}});
}

std::vector<TensorId> Emitter::emit(Operator op, std::vector<TensorId> inputs, Origin const& origin,
                                    std::string const& base) {
  TensorTypes types;
  for (auto const input : inputs) types.push_back((*program_)[input].type);
  auto const inferred = infer(op, types);
  if (!inferred) throw std::logic_error("`" + origin.name + "`: " + inferred.problem().message);
  // A copy: it may lie in the table of tensors, which grows here.
  auto const kept = origin;
  std::vector<TensorId> outputs;
  for (auto const& type : inferred.value()) {
    Tensor tensor;
    tensor.name = names_->unique(base + "/" + std::string(name_of(op)));
    tensor.type = type;
    tensor.origin = kept;
    tensor.origin.pass = pass_;
    outputs.push_back(program_->add(std::move(tensor)));
  }
  emit_to(outputs, std::move(op), std::move(inputs), kept);
  return outputs;
}

void Emitter::emit_to(std::vector<TensorId> outputs, Operator op, std::vector<TensorId> inputs,
                      Origin const& origin) {
  auto& instruction = program_->entry_points[entry_].instructions.emplace_back();
  instruction.op = std::move(op);
  instruction.inputs = std::move(inputs);
  instruction.outputs = std::move(outputs);
  instruction.origin = origin;
  instruction.origin.pass = pass_;
}

void Emitter::scalar_to(TensorId output, Expression expression, std::vector<TensorId> inputs,
                        Origin const& origin) {
  operators::map map;
  map.expression = std::move(expression);
  map.compute = DataType::f64;
  map.types = {(*program_)[output].type.type};
  inputs.resize(map.expression.operand_count());  // a factor of 0 leaves operands out
  emit_to({output}, std::move(map), std::move(inputs), origin);
}

TensorId Emitter::scalar(Expression expression, std::vector<TensorId> inputs, Origin const& origin,
                         std::string const& base) {
  operators::map map;
  map.expression = std::move(expression);
  map.compute = DataType::f64;
  map.types = {DataType::f64};
  return emit(std::move(map), std::move(inputs), origin, base)[0];
}

TensorId Emitter::total(Expression expression, std::vector<TensorId> inputs, Origin const& origin,
                        std::string const& base) {
  auto const& type = (*program_)[inputs[0]].type;
  operators::reduce sum;
  sum.expression = std::move(expression);
  sum.shape = type.shape;
  for (std::size_t axis = 0; axis < type.shape.rank(); ++axis)
    sum.axes.push_back(static_cast<std::int64_t>(axis));
  sum.compute = compute_type_of(type.type);
  sum.type = DataType::f64;
  return emit(std::move(sum), std::move(inputs), origin, base)[0];
}

bool Emitter::store_as(TensorId tensor, DataType type) {
  auto& instructions = program_->entry_points[entry_].instructions;
  if (instructions.empty()) return false;
  auto* const map = std::get_if<operators::map>(&instructions.back().op);
  auto const& outputs = instructions.back().outputs;
  auto const made = std::find(outputs.begin(), outputs.end(), tensor);
  if (map == nullptr || made == outputs.end()) return false;
  map->types[static_cast<std::size_t>(made - outputs.begin())] = type;
  (*program_)[tensor].type.type = type;
  return true;
}

void Emitter::rename(TensorId tensor, std::string const& name) {
  (*program_)[tensor].name = names_->unique(name);
}

}  // namespace lbann::compiler
