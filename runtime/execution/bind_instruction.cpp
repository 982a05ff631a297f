// Instructions bound to their operands: whole tensors, the samples of a panel, or the rows of this
// rank in a product of broadcast factors.
#include "kernels/device/device.hpp"
#include "kernels/external_layer.hpp"
#include "runtime/execution/executor.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/specialization/panel_samples.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann::runtime {

namespace {

/// Bytes to be copied from one place to another.
struct Copy {
  std::byte* to;
  std::byte const* from;
  std::size_t bytes;
};

/// A kernel on rows of a panel that are copied together before, and put in their places after it: a
/// product of few rows would read all weights for each of them.
class PackedRows final : public kernels::Kernel {
 public:
  PackedRows(std::unique_ptr<kernels::Kernel> kernel, std::vector<Copy> before,
             std::vector<Copy> after)
      : kernel_(std::move(kernel)), before_(std::move(before)), after_(std::move(after)) {}
  void run() override {
    for (auto const& copy : before_) device::copy_on_device(copy.to, copy.from, copy.bytes);
    kernel_->run();
    for (auto const& copy : after_) device::copy_on_device(copy.to, copy.from, copy.bytes);
  }
  bool waits() const override { return kernel_->waits(); }

 private:
  std::unique_ptr<kernels::Kernel> kernel_;
  std::vector<Copy> before_, after_;
};

}  // namespace

kernels::View Executor::rows_of(TensorId tensor, IndexRange samples) const {
  auto const& type = program_.tensors[tensor.index()].type;
  auto const row = type.shape.elements(1) * static_cast<std::int64_t>(bytes_of(type.type));
  return kernels::make_view(arenas_.at(program_.slots[tensor.index()]) + samples.begin * row, type,
                            samples.size);
}

/// Binds `call`, which has its operands, samples and scratch memory, and may begin within this
/// rank's part.
Result<std::unique_ptr<kernels::Kernel>> Executor::bind_kernel(Instruction const& instruction,
                                                               kernels::Call call,
                                                               std::int64_t mini_batch,
                                                               std::string_view& chosen) const {
  call.op = &instruction.op;
  auto const part = program_.box(instruction.outputs[0], mini_batch);
  auto const whole = program_.whole_shapes[instruction.outputs[0].index()].at(mini_batch);
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

/// Binds `call`, which has scratch memory, to the samples of a panel.
Result<std::unique_ptr<kernels::Kernel>> Executor::bind_panel(Instruction const& instruction,
                                                              kernels::Call call,
                                                              BoundEntry const& bound,
                                                              std::vector<kernels::View>& views,
                                                              std::string_view& chosen) const {
  auto const ranges = program_.panel_of(instruction, instruction.outputs[0], bound.mini_batch);
  call.samples = count(ranges);
  std::vector<Copy> before, after;
  for (auto const* ids : {&instruction.inputs, &instruction.outputs})
    for (auto const id : *ids) {
      if (!program_.whole_shapes[id.index()].has_batch()) {
        views.push_back(view(id, bound.mini_batch));
      } else if (ranges.size() < 2) {
        views.push_back(rows_of(id, ranges.empty() ? IndexRange{} : ranges.front()));
      } else {
        auto packed = rows_of(id, {0, call.samples});
        // Places for packed rows are at the end of the scratch memory.
        auto const taken = aligned(static_cast<std::int64_t>(packed.bytes()));
        call.scratch = call.scratch.first(call.scratch.size() - static_cast<std::size_t>(taken));
        auto* at = call.scratch.data() + call.scratch.size();
        packed.data = at;
        views.push_back(packed);
        for (auto const& range : ranges) {
          auto const rows = rows_of(id, range);
          if (ids == &instruction.inputs)
            before.push_back({at, rows.as<std::byte>(), rows.bytes()});
          else
            after.push_back({rows.as<std::byte>(), at, rows.bytes()});
          at += rows.bytes();
        }
      }
    }
  auto const inputs = instruction.inputs.size();
  call.inputs = std::span<kernels::View const>(views).first(inputs);
  call.outputs = std::span<kernels::View const>(views).subspan(inputs);
  auto kernel = bind_kernel(instruction, call, bound.mini_batch, chosen);
  if (!kernel || before.empty()) return kernel;
  return std::unique_ptr<kernels::Kernel>(
      std::make_unique<PackedRows>(std::move(kernel).value(), std::move(before), std::move(after)));
}

Result<BoundEntry::Step> Executor::bind_instruction(SpecializedEntry const& entry,
                                                    std::size_t index, BoundEntry& bound) const {
  auto const& instruction = entry.instructions[index];
  auto& views = bound.views[index];
  BoundEntry::Step step;
  step.instruction = index;
  step.implementation = "none";
  kernels::Call call;
  if (auto const& scratch = entry.scratch[index]; scratch.used)
    call.scratch = {arenas_.at(scratch), static_cast<std::size_t>(scratch.bytes)};
  auto const take =
      [&](Result<std::unique_ptr<kernels::Kernel>> kernel) -> Result<BoundEntry::Step> {
    if (!kernel) return kernel.problem();
    step.kernel = std::move(kernel).value();
    bound.written[index].assign(
        views.begin() + static_cast<std::ptrdiff_t>(instruction.inputs.size()), views.end());
    return std::move(step);
  };
  if (instruction.panel)
    return take(bind_panel(instruction, call, bound, views, step.implementation));
  call.samples = program_.samples_of(instruction, bound.mini_batch);
  for (auto const* ids : {&instruction.inputs, &instruction.outputs})
    for (auto id : *ids) views.push_back(view(id, bound.mini_batch));
  if (auto const* factors = broadcast_of(entry, index)) {
    views = part_of(*factors, bound);
    call.samples = bound.mini_batch;
  }
  call.inputs = std::span<kernels::View const>(views).first(instruction.inputs.size());
  call.outputs = std::span<kernels::View const>(views).subspan(instruction.inputs.size());
  bool const in_place = std::holds_alternative<operators::reshape>(instruction.op) &&
                        call.inputs[0].data == call.outputs[0].data;
  if (in_place) return step;
  return take(bind_kernel(instruction, call, bound.mini_batch, step.implementation));
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
