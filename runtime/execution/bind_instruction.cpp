// Instructions bound to their operands: whole tensors, the samples of a panel, or the rows of this
// rank in a product of broadcast factors.
#include <algorithm>

#include "kernels/external_layer.hpp"
#include "runtime/execution/executor.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

/// Kernels of the ranges of a panel, one after the other.
class KernelList final : public kernels::Kernel {
 public:
  explicit KernelList(std::vector<std::unique_ptr<kernels::Kernel>> kernels)
      : kernels_(std::move(kernels)) {}
  void run() override {
    for (auto const& kernel : kernels_) kernel->run();
  }
  bool waits() const override {
    return std::ranges::any_of(kernels_, [](auto const& kernel) { return kernel->waits(); });
  }

 private:
  std::vector<std::unique_ptr<kernels::Kernel>> kernels_;
};

}  // namespace

kernels::View Executor::rows_of(TensorId tensor, IndexRange samples) const {
  auto const& type = program_.tensors[tensor.index()].type;
  auto const row = type.shape.elements(1) * static_cast<std::int64_t>(bytes_of(type.type));
  return kernels::make_view(arenas_.at(program_.slots[tensor.index()]) + samples.begin * row, type,
                            samples.size);
}

/// Binds `call`, which has operands and samples, and may begin within this rank's part.
Result<std::unique_ptr<kernels::Kernel>> Executor::bind_kernel(SpecializedEntry const& entry,
                                                               std::size_t index,
                                                               kernels::Call call,
                                                               BoundEntry& bound,
                                                               std::string_view& chosen) const {
  auto const& instruction = entry.instructions[index];
  call.op = &instruction.op;
  auto const& scratch = entry.scratch[index];
  if (scratch.used) call.scratch = {arenas_.at(scratch), static_cast<std::size_t>(scratch.bytes)};
  auto const part = program_.box(instruction.outputs[0], bound.mini_batch);
  auto const whole = program_.whole_shapes[instruction.outputs[0].index()].at(bound.mini_batch);
  for (std::size_t d = 0; d < part.rank; ++d) {
    call.begin[d] += part.parts[d].begin;
    call.whole[d] = whole[d];
  }
  auto kernel = kernels::bind(call, selection_, &chosen);
  if (kernel != nullptr) return kernel;
  auto const& origin = instruction.origin;
  auto const refusal = kernels::refusal_of(call);
  return Problem{located(plan_.sources, origin.span,
                         refusal.empty()
                             ? "no kernel executes " + std::string(name_of(instruction.op)) +
                                   " of `" + origin.name + "` with these types and shapes"
                             : "`" + origin.name + "`: " + refusal)};
}

Result<BoundEntry::Step> Executor::bind_instruction(SpecializedEntry const& entry,
                                                    std::size_t index, BoundEntry& bound) const {
  auto const& instruction = entry.instructions[index];
  auto const inputs = instruction.inputs.size(), operands = inputs + instruction.outputs.size();
  auto& views = bound.views[index];
  kernels::Call call;
  call.samples = program_.samples_of(instruction, bound.mini_batch);
  BoundEntry::Step step;
  step.instruction = index;
  step.implementation = "none";
  auto const bind = [&](std::size_t first) {
    auto const of_call = std::span<kernels::View const>(views).subspan(first, operands);
    call.inputs = of_call.first(inputs);
    call.outputs = of_call.subspan(inputs);
    bound.written[index].insert(bound.written[index].end(), call.outputs.begin(),
                                call.outputs.end());
    return bind_kernel(entry, index, call, bound, step.implementation);
  };
  if (instruction.panel) {
    auto const ranges = program_.panel_of(instruction, instruction.outputs[0], bound.mini_batch);
    for (auto const& range : ranges)
      for (auto const* ids : {&instruction.inputs, &instruction.outputs})
        for (auto const id : *ids)
          views.push_back(program_.whole_shapes[id.index()].has_batch()
                              ? rows_of(id, range)
                              : view(id, bound.mini_batch));
    std::vector<std::unique_ptr<kernels::Kernel>> parts;
    for (auto const& range : ranges) {
      call.samples = range.size;
      call.begin = {};
      call.begin[0] = range.begin;
      auto kernel = bind(parts.size() * operands);
      if (!kernel) return kernel.problem();
      parts.push_back(std::move(kernel).value());
    }
    step.kernel = std::make_unique<KernelList>(std::move(parts));
    return step;
  }
  for (auto const* ids : {&instruction.inputs, &instruction.outputs})
    for (auto id : *ids) views.push_back(view(id, bound.mini_batch));
  if (auto const* factors = broadcast_of(entry, index)) {
    views = part_of(*factors, bound);
    call.samples = bound.mini_batch;
  }
  bool const in_place = std::holds_alternative<operators::reshape>(instruction.op) &&
                        views[0].data == views[inputs].data;
  if (in_place) return step;
  auto kernel = bind(0);
  if (!kernel) return kernel.problem();
  step.kernel = std::move(kernel).value();
  return step;
}

Factors Executor::factors_of(FactorBroadcast const& product, BoundEntry const& bound) const {
  auto const& inputs = bound.entry->instructions[product.instruction].inputs;
  Factors factors;
  factors.a = view(inputs[0], bound.mini_batch);
  factors.b = view(inputs[1], bound.mini_batch);
  factors.all_a = arenas_.at(product.a);
  factors.all_b = arenas_.at(product.b);
  factors.samples = bound.mini_batch;
  factors.ranks = ranks();
  factors.first_sample = first_sample(bound.mini_batch);
  return factors;
}

/// Operands of this rank's part of `product`: factors of all samples, its rows of the rest.
std::vector<kernels::View> Executor::part_of(FactorBroadcast const& product,
                                             BoundEntry const& bound) const {
  auto const& instruction = bound.entry->instructions[product.instruction];
  auto const factors = factors_of(product, bound);
  std::vector<kernels::View> views;
  auto const add = [&](std::byte* data, PartOperand const& part) {
    data += part.first_entry * static_cast<std::int64_t>(bytes_of(part.type.type));
    views.push_back(kernels::make_view(data, part.type, bound.mini_batch));
  };
  auto const at = [&](TensorId id) { return arenas_.at(program_.slots[id.index()]); };
  add(factors.all_a + block_of(factors, rank()), product.inputs[0]);
  add(factors.all_b, product.inputs[1]);
  for (std::size_t i = 2; i < product.inputs.size(); ++i)
    add(at(instruction.inputs[i]), product.inputs[i]);
  for (std::size_t i = 0; i < product.outputs.size(); ++i)
    add(at(instruction.outputs[i]), product.outputs[i]);
  return views;
}

}  // namespace lbann::runtime
