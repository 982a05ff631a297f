// From tensors of all ranks to what one rank holds of them.
#include "schemas/operators/loops.hpp"
#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

class Localiser {
 public:
  explicit Localiser(Specialization& specialization)
      : specialization_(specialization), program_(specialization.program) {}

  void run() {
    for (auto& entry : program_.entry_points)
      for (auto& instruction : entry.instructions) localise(instruction);
    for (std::size_t i = 0; i < specialization_.distributions.size(); ++i)
      localise(program_[TensorId(i)].type.shape, specialization_.distributions[i]);
    specialization_.is_local = true;
    // Places were given for the largest part.
    for (std::size_t i = 0; i < specialization_.distributions.size(); ++i)
      if (auto& slot = specialization_.slots[i]; slot.used)
        slot.bytes = specialization_.bytes(TensorId(i));
  }

 private:
  /// Shapes that operators have themselves: those of their result, or the space of a sum.
  void localise(Instruction& instruction) const {
    auto const& output = specialization_.distribution(instruction.outputs.at(0));
    if (auto* map = std::get_if<operators::map>(&instruction.op))
      localise(map->shape, output);
    else if (auto* reshape = std::get_if<operators::reshape>(&instruction.op))
      localise(reshape->shape, output);
    else if (auto* random = std::get_if<operators::random>(&instruction.op))
      localise(random->shape, output);
    else if (auto* reduce = std::get_if<operators::reduce>(&instruction.op))
      localise(reduce->shape, space(instruction));
  }

  /// How the space that a sum runs over is split: as its operands are.
  AxisDistribution space(Instruction const& instruction) const {
    AxisDistribution distribution;
    auto const inputs = input_types(program_, instruction),
               outputs = output_types(program_, instruction);
    auto const loops = lbann::loops(instruction.op, {inputs, outputs});
    auto const rank = std::get<operators::reduce>(instruction.op).shape.rank();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      for (std::size_t d = 0; d < inputs[i].shape.rank(); ++d)
        // Loops are numbered as the dimensions of the space.
        if (auto const loop = loops.input(i)[d].loop; loop < rank)
          distribution.split[loop] |= specialization_.distribution(instruction.inputs[i]).split[d];
    return distribution;
  }

  void localise(Shape& shape, AxisDistribution const& distribution) const {
    for (std::size_t d = 0; d < shape.rank(); ++d)
      if (auto& extent = shape.extents[d]; !extent.batch)
        extent.size = specialization_.mesh.part(extent.size, distribution.split[d]).size;
  }

  Specialization& specialization_;
  Program& program_;
};

}  // namespace

void localise(Specialization& specialization) {
  for (auto const& tensor : specialization.program.tensors)
    specialization.whole_shapes.push_back(tensor.type.shape);
  Localiser(specialization).run();
}

}  // namespace lbann
