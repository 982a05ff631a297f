// The pass `recognise_attention`: products of queries and keys, their softmax and products of that
// with values, as attention, which keeps no tensor of all pairs.
#include <algorithm>

#include "compiler/passes/head_rows.hpp"
#include "compiler/passes/program_passes.hpp"
#include "schemas/expression/builder.hpp"

namespace lbann::compiler {

namespace {

class Recogniser {
 public:
  Recogniser(Program& program, EntryPoint& entry, std::vector<TensorId> const& kept)
      : program_(program), entry_(entry), kept_(program.tensors.size(), false) {
    for (auto const id : kept) kept_[id.index()] = true;
    producer_.assign(program.tensors.size(), none);
    readers_.assign(program.tensors.size(), {});
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      for (auto const id : entry.instructions[i].outputs) producer_[id.index()] = i;
      for (auto const id : entry.instructions[i].inputs) readers_[id.index()].push_back(i);
    }
  }

  void run() {
    auto const count = entry_.instructions.size();
    std::vector<std::vector<Instruction>> put(count);
    replaced_.assign(count, false);
    for (std::size_t i = 0; i < count; ++i)
      if (auto const found = find(i)) put[found->place] = attend(*found);
    for (auto& instruction : entry_.instructions) share_mask(instruction);
    drop_unread(put);
    std::vector<Instruction> instructions;
    for (std::size_t i = 0; i < count; ++i) {
      if (!replaced_[i]) instructions.push_back(std::move(entry_.instructions[i]));
      for (auto& instruction : put[i]) instructions.push_back(std::move(instruction));
    }
    entry_.instructions = std::move(instructions);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Rows that matrices of heads were made of, and a factor of all their entries.
  struct Rows {
    TensorId tensor;
    double factor = 1;
  };

  struct Match {
    std::size_t place;  ///< of the product with values
    operators::AttentionHeads op;
    std::vector<TensorId> inputs;  ///< queries, keys, values, and the mask if there is one
    HeadMatrices result;
    Shape mask;  ///< that the mask is given to attention with
  };

  Instruction const& at(std::size_t index) const { return entry_.instructions[index]; }

  /// The instruction that makes `id`, if it has the operator `Op`.
  template <class Op>
  Instruction const* made_by(TensorId id) const {
    auto const index = producer_[id.index()];
    if (index == none) return nullptr;
    auto const& instruction = at(index);
    return std::holds_alternative<Op>(instruction.op) ? &instruction : nullptr;
  }

  /// The only instruction that reads what nothing else needs.
  Instruction const* only_reader(TensorId id) const {
    auto const& readers = readers_[id.index()];
    if (kept_[id.index()] || program_[id].role != TensorRole::activation || readers.size() != 1)
      return nullptr;
    return &at(readers[0]);
  }

  std::size_t index_of(Instruction const& instruction) const {
    return static_cast<std::size_t>(&instruction - entry_.instructions.data());
  }

  /// A product of pairs of matrices without an epilogue, in the type that attention computes in.
  operators::batched_matmul const* product(Instruction const* instruction) const {
    if (instruction == nullptr) return nullptr;
    auto const* op = std::get_if<operators::batched_matmul>(&instruction->op);
    if (op == nullptr || !op->epilogue.empty()) return nullptr;
    auto const& [type, shape] = program_[instruction->inputs[0]].type;
    bool const fits = compute_type_of(type) == type && (shape.rank() == 3 || shape.rank() == 4) &&
                      std::none_of(shape.extents.begin() + 1, shape.extents.end(),
                                   [](Extent const& extent) { return extent.batch; });
    return fits ? op : nullptr;
  }

  /// Attention whose softmax is instruction `index`.
  std::optional<Match> find(std::size_t index) const {
    auto const* softmax = std::get_if<operators::softmax>(&at(index).op);
    if (softmax == nullptr || softmax->logarithm || softmax->minimum > 0 || softmax->inner != 0)
      return std::nullopt;
    auto const probabilities = at(index).outputs[0];
    if (softmax->axis + 1 != static_cast<std::int64_t>(program_[probabilities].type.shape.rank()))
      return std::nullopt;
    auto const* means = only_reader(probabilities);
    auto const* of_values = product(means);
    if (of_values == nullptr || of_values->transpose_a || means->inputs[0] != probabilities)
      return std::nullopt;
    auto score = at(index).inputs[0];
    if (only_reader(score) == nullptr) return std::nullopt;
    auto const mask = added_to(score);
    auto const factor = without_factors(score);
    auto const* scores = made_by<operators::batched_matmul>(score);
    auto const* of_scores = product(scores);
    if (of_scores == nullptr || only_reader(score) == nullptr) return std::nullopt;
    auto const q = rows_of(scores->inputs[0], of_scores->transpose_a);
    auto const k = rows_of(scores->inputs[1], !of_scores->transpose_b);
    auto const v = rows_of(means->inputs[1], of_values->transpose_b);
    if (!q || !k || !v || v->factor != 1) return std::nullopt;
    HeadMatrices const queries(program_[scores->inputs[0]].type.shape, of_scores->transpose_a);
    Match match{index_of(*means),
                {queries.size, factor * q->factor * k->factor, false},
                {q->tensor, k->tensor, v->tensor},
                {program_[means->outputs[0]].type.shape, false},
                {}};
    if (mask.valid()) {
      match.inputs.push_back(shared(mask));
      match.mask = mask_shape(match.inputs.back(), queries.rank);
    }
    TensorTypes types;
    for (auto const id : match.inputs) types.push_back(program_[id].type);
    if (mask.valid()) types[3].shape = match.mask;
    if (!infer(operators::attention{match.op}, types).good()) return std::nullopt;
    return match;
  }

  /// What a map adds to `scores`, which become those before it; an invalid id if there is none.
  TensorId added_to(TensorId& scores) const {
    auto const* sum = plain_map(scores, 2);
    if (sum == nullptr) return {};
    ExpressionBuilder builder;
    if (std::get<operators::map>(sum->op).expression !=
        builder.finish({builder.operand(0) + builder.operand(1)}))
      return {};
    for (std::size_t i = 0; i < 2; ++i) {
      auto before = sum->inputs[i];
      without_factors(before);
      if (!made_by<operators::batched_matmul>(before)) continue;
      scores = sum->inputs[i];
      return sum->inputs[1 - i];
    }
    return {};
  }

  /// The map that makes `id` of `operands` tensors, all of its type and computed in it.
  Instruction const* plain_map(TensorId id, std::size_t operands) const {
    auto const* instruction = made_by<operators::map>(id);
    if (instruction == nullptr || instruction->outputs.size() != 1 ||
        instruction->inputs.size() != operands)
      return nullptr;
    auto const type = program_[id].type.type;
    bool const same = std::get<operators::map>(instruction->op).compute == type &&
                      std::ranges::all_of(instruction->inputs, [&](TensorId input) {
                        return program_[input].type.type == type;
                      });
    return same ? instruction : nullptr;
  }

  /// Goes back from `id` over maps that multiply by a number; gives their product.
  double without_factors(TensorId& id) const {
    double factor = 1;
    while (auto const* instruction = plain_map(id, 1)) {
      auto const by = multiplier(std::get<operators::map>(instruction->op).expression);
      if (!by || program_[instruction->inputs[0]].type != program_[id].type) break;
      factor *= *by;
      id = instruction->inputs[0];
    }
    return factor;
  }

  /// The number that an expression multiplies its operand by.
  static std::optional<double> multiplier(Expression const& expression) {
    for (auto const& node : expression.nodes) {
      if (node.kind != Node::Kind::constant) continue;
      ExpressionBuilder builder;
      auto const x = builder.operand(0);
      for (auto const& product : {x * node.constant, node.constant * x})
        if (expression == builder.finish({product})) return node.constant;
      if (expression == builder.finish({x / node.constant})) return 1 / node.constant;
    }
    return std::nullopt;
  }

  /// The rows that these matrices are made of.
  std::optional<Rows> rows_of(TensorId id, bool transposed) const {
    HeadMatrices const matrices(program_[id].type.shape, transposed);
    std::vector<Instruction const*> steps;
    Rows rows{id};
    for (;;) {
      rows.factor *= without_factors(rows.tensor);
      if (program_[rows.tensor].type.shape == matrices.shape_of_rows() && matrices.follow(steps))
        return rows;
      auto const index = producer_[rows.tensor.index()];
      if (index == none || !rearranges(at(index))) return std::nullopt;
      steps.insert(steps.begin(), &at(index));
      rows.tensor = at(index).inputs[0];
    }
  }

  /// The instructions of a match. What follows the product with values and puts heads side by side
  /// is left out.
  std::vector<Instruction> attend(Match const& match) {
    auto const& means = at(match.place);
    auto origin = means.origin;
    origin.pass = "recognise_attention";
    auto const result = means.outputs[0];
    auto const type = program_[result].type.type;
    replaced_[match.place] = true;
    std::vector<Instruction const*> steps;
    auto rows = result;
    while (!match.result.lead_back(steps) ||
           program_[rows].type.shape != match.result.shape_of_rows()) {
      auto const* next = only_reader(rows);
      if (next == nullptr || !rearranges(*next)) break;
      steps.push_back(next);
      rows = next->outputs[0];
    }
    bool const whole =
        program_[rows].type.shape == match.result.shape_of_rows() && match.result.lead_back(steps);
    if (whole)
      for (auto const* step : steps) replaced_[index_of(*step)] = true;
    auto const add = [&](std::string const& name, Shape shape) {
      Tensor tensor;
      tensor.name = program_[result].name + name;
      tensor.type = {type, std::move(shape)};
      tensor.origin = origin;
      return program_.add(std::move(tensor));
    };
    auto const& of = match.result;
    if (!whole) rows = add("/rows", of.shape_of_rows());
    auto const lse = add("/lse", {of.batch, {of.heads}, of.rows});
    std::vector<Instruction> put;
    auto inputs = match.inputs;
    if (inputs.size() == 4 && program_[inputs[3]].type.shape != match.mask) {
      auto const mask = add("/mask", match.mask);
      put.push_back({operators::reshape{match.mask}, {inputs[3]}, {mask}, origin});
      inputs[3] = mask;
    }
    put.push_back({operators::attention{match.op}, std::move(inputs), {rows, lse}, origin});
    if (whole) return put;
    Shape const split{of.batch, of.rows, {of.heads}, {of.size}};
    auto const apart = add("/heads", split);
    put.push_back({operators::reshape{split}, {rows}, {apart}, origin});
    put.push_back({operators::permute{{0, 2, 1, 3}}, {apart}, {result}, origin});
    return put;
  }

  /// What all samples have the same copy of in `mask`, or `mask` itself.
  TensorId shared(TensorId mask) const {
    auto const* copies = plain_map(mask, 1);
    if (copies == nullptr || program_[copies->inputs[0]].type.shape.has_batch()) return mask;
    ExpressionBuilder builder;
    auto const copy = builder.finish({builder.operand(0)});
    return std::get<operators::map>(copies->op).expression == copy ? copies->inputs[0] : mask;
  }

  /// The shape of a mask added to scores of rank `rank`, for scores with an axis for heads.
  Shape mask_shape(TensorId mask, std::size_t rank) const {
    auto shape = program_[mask].type.shape;
    if (rank == 3 && shape.rank() == 3)
      shape.extents.insert(shape.extents.begin() + 1, Extent{1, false});
    return shape;
  }

  /// Lets attention that a layer lowered to read a mask that is the same for all samples where it
  /// lies.
  void share_mask(Instruction& instruction) const {
    if (!std::holds_alternative<operators::attention>(instruction.op)) return;
    if (instruction.inputs.size() < 4) return;
    auto& mask = instruction.inputs[3];
    auto given = mask;
    if (auto const* reshape = made_by<operators::reshape>(mask)) given = reshape->inputs[0];
    if (mask_shape(given, program_[given].type.shape.rank()) != program_[mask].type.shape) return;
    if (auto const source = shared(given); source != given) mask = source;
  }

  /// Drops instructions of which nothing is read any more, but for those that were so before.
  void drop_unread(std::vector<std::vector<Instruction>> const& put) {
    std::vector<std::size_t> reads(program_.tensors.size(), 0);
    auto const count = [&](Instruction const& instruction) {
      for (auto const id : instruction.inputs) ++reads[id.index()];
    };
    for (std::size_t i = entry_.instructions.size(); i-- > 0;) {
      std::ranges::for_each(put[i], count);
      if (replaced_[i]) continue;
      auto const& outputs = at(i).outputs;
      replaced_[i] =
          std::ranges::all_of(outputs,
                              [&](TensorId id) {
                                return program_[id].role == TensorRole::activation &&
                                       !kept_[id.index()] && reads[id.index()] == 0;
                              }) &&
          std::ranges::any_of(outputs, [&](TensorId id) { return !readers_[id.index()].empty(); });
      if (!replaced_[i]) count(at(i));
    }
  }

  Program& program_;
  EntryPoint& entry_;
  std::vector<bool> kept_;                         ///< per tensor
  std::vector<std::size_t> producer_;              ///< per tensor: the instruction, or `none`
  std::vector<std::vector<std::size_t>> readers_;  ///< per tensor, ascending
  std::vector<bool> replaced_;                     ///< per instruction
};

}  // namespace

void recognise_attention(Program& program, std::vector<TensorId> const& kept) {
  for (auto& entry : program.entry_points)
    // Which values of `predict` are wanted is known only when it runs.
    if (entry.name != predict_entry) Recogniser(program, entry, kept).run();
}

}  // namespace lbann::compiler
