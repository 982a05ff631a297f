// Putting the loops of an operator together.
#include "schemas/operators/loops.hpp"

#include <algorithm>

namespace lbann::operators::rules {

LoopsBuilder::LoopsBuilder(Signature const& signature) : signature_(signature) {
  std::size_t count = 0;
  loops_.begins.reserve(signature.inputs.size() + signature.outputs.size() + 1);
  for (auto const& types : {signature.inputs, signature.outputs})
    for (auto const& type : types) {
      loops_.begins.push_back(count);
      count += type.shape.rank();
    }
  loops_.begins.push_back(count);
  loops_.dimensions.resize(count);
  loops_.input_count = signature.inputs.size();
  known_.resize(count, false);
}

TensorType const& LoopsBuilder::type(bool output, std::size_t tensor) const {
  return (output ? signature_.outputs : signature_.inputs)[tensor];
}

void LoopsBuilder::set(TensorDimension const& of, std::size_t loop) {
  auto const extent = type(of.output, of.tensor).shape.extents[of.dimension].size;
  auto const iterations = loops_.loops[loop].extent.size;
  auto const tensor = of.output ? loops_.input_count + of.tensor : of.tensor;
  auto const position = loops_.begins[tensor] + of.dimension;
  // A window may be wider than its loop; its granule is what moving on by one iteration means,
  // which a halo is told by the operator's own stride.
  auto const granule = of.window || iterations == 0 ? 1 : extent / iterations;
  loops_.dimensions[position] = {loop, granule, of.window};
  known_[position] = true;
}

std::size_t LoopsBuilder::add(LoopKind kind, Extent extent,
                              std::initializer_list<TensorDimension> dimensions) {
  auto const loop = loops_.loops.size();
  loops_.loops.push_back({kind, extent});
  for (auto const& dimension : dimensions) set(dimension, loop);
  return loop;
}

std::size_t LoopsBuilder::add(LoopKind kind, std::initializer_list<TensorDimension> dimensions) {
  auto const& first = *dimensions.begin();
  return add(kind, type(first.output, first.tensor).shape.extents[first.dimension], dimensions);
}

void LoopsBuilder::add(LoopKind kind, std::size_t first, std::size_t last,
                       std::initializer_list<std::size_t> inputs,
                       std::initializer_list<std::size_t> outputs) {
  auto const& shape =
      inputs.size() > 0 ? type(false, *inputs.begin()).shape : type(true, *outputs.begin()).shape;
  for (auto i = first; i < last; ++i) {
    auto const loop = add(kind, shape.extents[i], {});
    for (auto tensor : inputs) set(input(tensor, i), loop);
    for (auto tensor : outputs) set(output(tensor, i), loop);
  }
}

void LoopsBuilder::broadcast(std::size_t first, Shape const& space) {
  for (auto t = first; t < signature_.inputs.size(); ++t) {
    auto const& extents = signature_.inputs[t].shape.extents;
    auto const skipped = space.rank() - extents.size();
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (extents[i] == space.extents[skipped + i]) set(input(t, i), skipped + i);
  }
}

void LoopsBuilder::set_in_epilogue(std::size_t first, std::size_t dimension, std::size_t loop) {
  auto const& space = signature_.outputs[0].shape;
  for (auto t = first; t < signature_.inputs.size(); ++t) {
    auto const& extents = signature_.inputs[t].shape.extents;
    auto const skipped = space.rank() - extents.size();
    if (dimension >= skipped && extents[dimension - skipped] == space.extents[dimension])
      set(input(t, dimension - skipped), loop);
  }
  for (std::size_t t = 1; t < signature_.outputs.size(); ++t) set(output(t, dimension), loop);
}

void LoopsBuilder::fill(Shape const& space) {
  for (std::size_t t = 0; t < signature_.outputs.size(); ++t)
    for (std::size_t i = 0; i < space.rank(); ++i) set(output(t, i), i);
}

Loops LoopsBuilder::finish() && {
  std::size_t position = 0;
  for (auto const& types : {signature_.inputs, signature_.outputs})
    for (auto const& type : types)
      for (auto const extent : type.shape.extents) {
        if (!known_[position]) {
          loops_.dimensions[position].loop = loops_.loops.size();
          loops_.loops.push_back({LoopKind::whole, extent});
        }
        ++position;
      }
  return std::move(loops_);
}

Loops loops_of_samples(Signature const& signature) {
  LoopsBuilder loops(signature);
  bool const every = std::ranges::all_of(
      signature.outputs, [](TensorType const& type) { return type.shape.has_batch(); });
  auto const samples = loops.add(every ? LoopKind::parallel : LoopKind::whole, batch_extent, {});
  for (bool const output : {false, true}) {
    auto const types = output ? signature.outputs : signature.inputs;
    for (std::size_t t = 0; t < types.size(); ++t)
      for (std::size_t i = 0; i < types[t].shape.rank(); ++i)
        if (types[t].shape.extents[i].batch) loops.set({output, t, i, false}, samples);
  }
  return std::move(loops).finish();
}

}  // namespace lbann::operators::rules
