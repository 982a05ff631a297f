// Products with split weights, cut into panels of samples: one travels while another is multiplied.
#include <algorithm>
#include <iterator>

#include "schemas/operators/loops.hpp"
#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

class PanelCutter {
 public:
  PanelCutter(Specialization const& specialization, EntryPoint& entry)
      : specialization_(specialization),
        program_(specialization.program),
        instructions_(entry.instructions),
        panels_(instructions_.size()),
        scatter_of_(instructions_.size(), none),
        moved_(instructions_.size(), false) {}

  Result<Success> run() {
    for (std::size_t i = 0; i < instructions_.size(); ++i)
      if (auto done = cut(i); !done) return done;
    std::vector<Instruction> cut;
    cut.reserve(instructions_.size());
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      if (moved_[i]) continue;
      if (!panels_[i]) {
        cut.push_back(std::move(instructions_[i]));
        continue;
      }
      for (auto panel = *panels_[i]; panel.index < panel.count; ++panel.index) {
        cut.push_back(instructions_[i]);
        cut.back().panel = panel;
        if (auto const scatter = scatter_of_[i]; scatter != none) {
          cut.push_back(instructions_[scatter]);
          cut.back().panel = panel;
        }
      }
    }
    instructions_ = std::move(cut);
    return Success{};
  }

 private:
  static constexpr auto none = static_cast<std::size_t>(-1);
  static constexpr std::int64_t most_panels = 1024;  ///< each is several instructions

  Result<Success> cut(std::size_t product) {
    auto const& instruction = instructions_[product];
    if (!std::holds_alternative<operators::matmul>(instruction.op) ||
        instruction.factor_broadcast || !works_by_rows(instruction))
      return Success{};
    auto const factor = instruction.inputs[0], result = instruction.outputs[0];
    auto const gather = gather_before(product, factor), scatter = scatter_after(product, result);
    if (gather == none && scatter == none) return Success{};
    auto const rows = samples_split(result);
    auto const outside = samples_split(gather != none ? instructions_[gather].inputs[0]
                                                      : instructions_[scatter].outputs[0]);
    auto const most = specialization_.mesh.largest(specialization_.placement.mini_batch, rows);
    auto const size = specialization_.plan.hydrogen_block_size;
    Panel const panel{0, most / size + (most % size > 0 ? 1 : 0), outside,
                      outside & moving_axes(outside, rows)};
    if (panel.count < 2) return Success{};
    if (panel.count > most_panels)
      return Problem{"the program cannot be placed: hydrogen_block_size " + std::to_string(size) +
                     " cuts " + std::to_string(most) + " samples into more than " +
                     std::to_string(most_panels) + " panels; at least " +
                     std::to_string((most + most_panels - 1) / most_panels) + " is possible"};
    panels_[product] = panel;
    scatter_of_[product] = scatter;
    if (gather != none) panels_[gather] = panel;
    if (scatter != none) moved_[scatter] = true;
    return Success{};
  }

  AxisSet samples_split(TensorId tensor) const {
    return specialization_.distribution(tensor).split[0];
  }

  bool has_samples_first(TensorId tensor) const {
    auto const& shape = program_[tensor].type.shape;
    return shape.rank() > 0 && shape.extents[0].batch;
  }

  /// Whether any samples of the results can be computed from the same samples of the operands.
  bool works_by_rows(Instruction const& instruction) const {
    auto const inputs = input_types(program_, instruction),
               outputs = output_types(program_, instruction);
    auto const loops = lbann::loops(instruction.op, {inputs, outputs});
    if (!has_samples_first(instruction.outputs[0])) return false;
    auto const first = loops.output(0)[0].loop;
    if (loops.loops[first].kind != LoopKind::parallel) return false;
    auto const by_rows = [&](TensorType const& type, std::span<LoopDimension const> dimensions) {
      for (std::size_t d = 0; d < dimensions.size(); ++d)
        if (type.shape.extents[d].batch != (d == 0 && dimensions[d].loop == first)) return false;
      return true;
    };
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!by_rows(inputs[i], loops.input(i))) return false;
    for (std::size_t o = 0; o < outputs.size(); ++o)
      if (!by_rows(outputs[o], loops.output(o))) return false;
    return has_samples_first(instruction.inputs[0]);
  }

  bool touches(std::vector<TensorId> const& ids, TensorId tensor) const {
    bool found = false;
    auto const storage = specialization_.storage_of(tensor);
    for (auto const id : ids)
      specialization_.each_storage(id, [&](TensorId at) { found = found || at == storage; });
    return found;
  }
  bool touches(Instruction const& instruction, TensorId tensor) const {
    return touches(instruction.inputs, tensor) || touches(instruction.outputs, tensor);
  }

  bool exchanges_samples(Instruction const& instruction) const {
    return is_collective(instruction) && !is_sum(instruction) &&
           has_samples_first(instruction.inputs[0]) && has_samples_first(instruction.outputs[0]);
  }

  /// The exchange that brings `factor` to instruction `product`, if any.
  std::size_t gather_before(std::size_t product, TensorId factor) const {
    for (auto i = product; i-- > 0;) {
      auto const& instruction = instructions_[i];
      if (!touches(instruction.outputs, factor)) continue;
      bool const gathers = exchanges_samples(instruction) && instruction.outputs[0] == factor &&
                           !std::holds_alternative<operators::reduce_scatter>(instruction.op);
      return gathers ? i : none;
    }
    return none;
  }

  /// The sum over ranks of what instruction `product` gives, if nothing is in the way of taking it
  /// at once.
  std::size_t scatter_after(std::size_t product, TensorId result) const {
    for (auto i = product + 1; i < instructions_.size(); ++i) {
      auto const& instruction = instructions_[i];
      if (!touches(instruction, result)) continue;
      if (!std::holds_alternative<operators::reduce_scatter>(instruction.op) ||
          !exchanges_samples(instruction) || instruction.inputs[0] != result)
        return none;
      for (auto between = product; between < i; ++between)
        if (touches(instructions_[between], instruction.outputs[0])) return none;
      return i;
    }
    return none;
  }

  Specialization const& specialization_;
  Program const& program_;
  std::vector<Instruction>& instructions_;
  std::vector<std::optional<Panel>> panels_;  ///< per instruction: the first of its panels
  std::vector<std::size_t> scatter_of_;       ///< per product: the sum over ranks of its result
  std::vector<bool> moved_;                   ///< per instruction: it goes with its product
};

}  // namespace

Result<Success> panels(Specialization& specialization) {
  if (specialization.plan.hydrogen_block_size == 0) return Success{};
  for (auto& entry : specialization.program.entry_points)
    if (auto done = PanelCutter(specialization, entry).run(); !done) return done;
  return Success{};
}

}  // namespace lbann
