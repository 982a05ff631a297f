// Softmax with the cross entropy of labels, as one operator.
#include <algorithm>

#include "compiler/passes/composites.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::compiler {

namespace {

/// Replaces losses of softmaxes in one entry point. A softmax stays for its other readers; without
/// any it is dead, as are the numbers of classes that its probabilities were compared with.
class LabelJoiner {
 public:
  LabelJoiner(Program& program, EntryPoint& entry)
      : program_(program), entry_(entry), maker_(program.tensors.size(), nullptr) {
    for (auto const& instruction : entry.instructions)
      for (auto const output : instruction.outputs) maker_[output.index()] = &instruction;
  }

  void run() {
    std::vector<Instruction> joined;
    joined.reserve(entry_.instructions.size());
    for (auto const& instruction : entry_.instructions)
      if (auto const* softmax = softmax_before(instruction))
        join(*softmax, instruction, joined);
      else
        joined.push_back(instruction);
    entry_.instructions = std::move(joined);
  }

 private:
  /// The instruction that makes `id` in this entry point, if it has the operator `Op`.
  template <class Op>
  Instruction const* made_by(TensorId id) const {
    auto const* maker = id.index() < maker_.size() ? maker_[id.index()] : nullptr;
    return maker != nullptr && std::holds_alternative<Op>(maker->op) ? maker : nullptr;
  }

  /// The softmax of classes, the second axis, whose cross entropy with labels `loss` sums over
  /// samples.
  Instruction const* softmax_before(Instruction const& loss) const {
    auto const* sum = std::get_if<operators::reduce>(&loss.op);
    if (sum == nullptr || sum->mode != operators::ReduceMode::sum || loss.inputs.size() != 3 ||
        sum->expression != operators::sparse_softmax_cross_entropy::term())
      return nullptr;
    auto const* instruction = made_by<operators::softmax>(loss.inputs[0]);
    if (instruction == nullptr) return nullptr;
    auto const& softmax = std::get<operators::softmax>(instruction->op);
    auto const& [type, shape] = program_[loss.inputs[0]].type;
    auto const rank = static_cast<std::int64_t>(shape.rank());
    if (softmax.logarithm || softmax.axis != 1 || softmax.inner != rank - 2 ||
        sum->shape != shape || sum->type != type || sum->compute != type ||
        sum->axes.size() + 1 != shape.rank() || sum->axes.front() != 1)
      return nullptr;
    if (is_state(program_[instruction->inputs[0]].role) || is_state(program_[loss.inputs[1]].role))
      return nullptr;
    bool const fits = program_[loss.inputs[1]].type.shape == labels_of(shape, 1) &&
                      numbers_classes(loss.inputs[2], shape.extents[1].at(1));
    return fits ? instruction : nullptr;
  }

  /// Whether a tensor is 0, 1, ... of this many classes.
  bool numbers_classes(TensorId id, std::int64_t classes) const {
    if (auto const* reshape = made_by<operators::reshape>(id)) id = reshape->inputs[0];
    auto const* numbers = made_by<operators::iota>(id);
    return numbers != nullptr && std::get<operators::iota>(numbers->op).extent == classes;
  }

  static Shape labels_of(Shape shape, std::size_t axis) {
    shape.extents[axis] = {1, false};
    return shape;
  }

  /// Scores, and their axis of classes.
  struct Scores {
    TensorId tensor;
    std::int64_t axis;
  };

  /// What `id`, with classes along the second axis, was made of by moving only this axis, or `id`.
  Scores before_moves(TensorId id) const {
    auto const* move = made_by<operators::permute>(id);
    if (move == nullptr || is_state(program_[move->inputs[0]].role)) return {id, 1};
    auto axes = std::get<operators::permute>(move->op).axes;
    auto const axis = axes[1];
    axes.erase(axes.begin() + 1);
    bool const alone = axis > 0 && axes.front() == 0 && std::ranges::is_sorted(axes);
    return alone ? Scores{move->inputs[0], axis} : Scores{id, 1};
  }

  void join(Instruction const& softmax, Instruction const& loss, std::vector<Instruction>& joined) {
    auto origin = loss.origin;
    origin.pass = "recognise_composites";
    auto const result = loss.outputs[0];
    auto const name = program_[result].name;
    auto const add = [&](std::string const& suffix, TensorType type) {
      Tensor tensor;
      tensor.name = name + suffix;
      tensor.type = std::move(type);
      tensor.origin = origin;
      return program_.add(std::move(tensor));
    };
    auto const scores = before_moves(softmax.inputs[0]);
    auto const type = program_[scores.tensor].type;
    auto const shape = labels_of(type.shape, static_cast<std::size_t>(scores.axis));
    auto labels = loss.inputs[1];
    if (auto const given = program_[labels].type; given.shape != shape) {
      auto const moved = add("/labels", {given.type, shape});
      joined.push_back({operators::reshape{shape}, {labels}, {moved}, origin});
      labels = moved;
    }
    auto const losses = add("/losses", {type.type, shape});
    auto const log_sum = add("/log_sum", {type.type, shape});
    operators::sparse_softmax_cross_entropy const op{
        scores.axis, std::get<operators::softmax>(softmax.op).minimum};
    joined.push_back({op, {scores.tensor, labels}, {losses, log_sum}, origin});
    if (shape.elements(1) == 1) {
      joined.push_back(
          {operators::reshape{program_[result].type.shape}, {losses}, {result}, origin});
      return;
    }
    auto sum = std::get<operators::reduce>(loss.op);
    ExpressionBuilder build;
    sum.expression = build.finish({build.operand(0)});
    sum.shape = shape;
    joined.push_back({std::move(sum), {losses}, {result}, origin});
  }

  Program& program_;
  EntryPoint& entry_;
  std::vector<Instruction const*> maker_;  ///< per tensor
};

}  // namespace

void join_sparse_softmax_cross_entropy(Program& program, EntryPoint& entry) {
  LabelJoiner(program, entry).run();
}

}  // namespace lbann::compiler
