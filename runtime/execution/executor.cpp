// Binds every instruction to its memory and its kernel before the first step.
#include "runtime/execution/executor.hpp"

#include <algorithm>
#include <set>

#include "kernels/device/device.hpp"
#include "kernels/thread_team.hpp"
#include "kernels/vendor/blas/buffers.hpp"
#include "runtime/execution/collectives.hpp"
#include "runtime/execution/exchange_transfer.hpp"
#include "runtime/execution/planted_fault.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/reports/fits.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann::runtime {

namespace {

/// `instruction 12 of train, matmul of `fc1` (lenet.yaml:9:5)`
std::string describe_instruction(Plan const& plan, SpecializedEntry const& entry,
                                 std::size_t index) {
  auto const& instruction = entry.instructions[index];
  auto description = "instruction " + std::to_string(index) + " of " + entry.name + ", " +
                     std::string(name_of(instruction.op));
  if (!instruction.origin.name.empty()) description += " of `" + instruction.origin.name + '`';
  auto const source = location(plan.sources, instruction.origin.span);
  return source.empty() ? description : description + " (" + source + ')';
}

/// What would need less memory than this machine has, as the end of a message.
std::string advice(Plan const& plan, Placement const& placement) {
  std::int64_t ranks = 1;
  for (auto const& axis : placement.mesh) ranks *= axis.size;
  RunSize size;
  size.ranks = ranks;
  size.mini_batch = placement.mini_batch * plan.accumulate;
  size.threads = placement.threads;
  if (placement.mesh.size() == 3)
    size.mesh = {placement.mesh[0].size, placement.mesh[1].size, placement.mesh[2].size};
  auto const found = fit(plan, size, Arenas::available());
  if (!found || found.value().edits.empty()) return "; a smaller mini_batch_size needs less";
  return to_words(found.value().edits);
}

bool all_share(Communicator& ranks, bool mine) {
  std::int64_t refusals = mine ? 0 : 1;
  ranks.all_reduce(&refusals, 1, DataType::i64);
  return refusals == 0;
}

}  // namespace

Executor::Executor(Plan const& plan, SpecializedProgram program, Arenas arenas,
                   kernels::Selection selection, Communicator* ranks,
                   std::unique_ptr<SharedMemory> memory, std::unique_ptr<AxisGroups> groups)
    : plan_(plan),
      program_(std::move(program)),
      arenas_(std::move(arenas)),
      selection_(selection),
      ranks_(ranks),
      groups_(std::move(groups)),
      memory_(std::move(memory)) {}

Result<std::unique_ptr<Executor>> Executor::create(Plan const& plan, std::int64_t mini_batch,
                                                   kernels::Selection selection,
                                                   Communicator* ranks, std::vector<MeshAxis> mesh,
                                                   bool share) {
  Placement placement;
  if (ranks != nullptr) {
    placement.mesh = {{"data", ranks->size()}};
    if (!mesh.empty()) placement.mesh = std::move(mesh);
    placement.rank = ranks->rank();
  }
  placement.mini_batch = mini_batch;
  placement.threads = kernels::ThreadTeam::size();
  // Devices share no memory of the host.
  placement.one_node = !device::has_own_memory() && ranks != nullptr && ranks->size() > 1 &&
                       all_share(*ranks, share) && ranks->on_one_node();
  auto program = specialize(plan, placement);
  if (!program) return program.problem();
  auto const shared = program.value().arena_bytes[static_cast<std::size_t>(Arena::shared)];
  auto memory = shared > 0 ? ranks->share(shared) : nullptr;
  if (shared > 0 && memory == nullptr) {
    placement.one_node = false;
    program = specialize(plan, placement);
    if (!program) return program.problem();
  }
  // Before memory is, which one rank alone may not get.
  auto groups = ranks == nullptr ? nullptr : std::make_unique<AxisGroups>(*ranks, program.value());
  auto arenas =
      Arenas::allocate(program.value().arena_bytes, memory == nullptr ? nullptr : memory->data());
  if (!arenas) return Problem{arenas.problem().message + advice(plan, placement)};
  if (auto taken = kernels::blas::take_buffers(); !taken) return taken.problem();
  return std::unique_ptr<Executor>(new Executor(plan, std::move(program).value(),
                                                std::move(arenas).value(), selection, ranks,
                                                std::move(memory), std::move(groups)));
}

std::string Executor::staged() const {
  std::set<std::string> names;
  for (auto const& bound : bound_)
    for (auto const& step : bound->steps) {
      auto const& instruction = bound->entry->instructions[step.instruction];
      if (step.kind == BoundEntry::Kind::compute && step.kernel->waits())
        names.insert(std::string(name_of(instruction.op)) + " of `" + instruction.origin.name +
                     '`');
    }
  if (names.empty()) return {};
  constexpr std::size_t most = 4;
  std::string line = "device : " + std::to_string(names.size()) +
                     (names.size() == 1 ? " instruction runs" : " instructions run") +
                     " on the host, on copies: ";
  std::size_t count = 0;
  for (auto const& name : names) {
    if (count++ == most) return line + " and " + std::to_string(names.size() - most) + " more";
    line += (count == 1 ? "" : ", ") + name;
  }
  return line;
}

std::string Executor::transport() const {
  auto const& mesh = program_.mesh;
  std::string description = "ranks : " + std::to_string(ranks()) + " of a trainer";
  if (program_.splits_state)
    return description + " in a mesh of " + std::to_string(mesh.size(data_axis)) + " x " +
           std::to_string(mesh.size(rows_axis)) + " rows x " +
           std::to_string(mesh.size(columns_axis)) + " columns, each with a part of some weights";
  bool const on_gpus = device::kind() == device::Kind::cuda;
  if (groups_ != nullptr && groups_->sums_by_devices())
    return description + (on_gpus ? " sum by NCCL" : " sum by devices");
  if (on_gpus)
    return description + " sum by way of the host: no libnccl.so.2, or ranks share a GPU";
  if (memory_ == nullptr) return description + " sum over messages alone";
  std::size_t products = 0;
  for (auto const& entry : program_.entries) products += entry.broadcasts.size();
  description += " share " + bytes_text(arenas_.bytes(Arena::shared)) + " of their node, where ";
  if (products > 0)
    description += "factors of " + std::to_string(products) +
                   (products == 1 ? " gradient" : " gradients") + " are gathered";
  if (auto const bytes = program_.gradient_block; bytes > 0)
    description +=
        std::string(products > 0 ? " and " : "") + bytes_text(bytes) + " of gradients summed";
  return description + "; they sum all else over messages";
}

kernels::View Executor::view(TensorId tensor, std::int64_t mini_batch) const {
  auto const& type = program_.tensors[tensor.index()].type;
  return kernels::make_view(arenas_.at(program_.slots[tensor.index()]), type,
                            program_.samples(tensor, mini_batch));
}

kernels::View Executor::place(TensorId tensor, std::int64_t samples) const {
  auto const& type = program_.tensors[tensor.index()].type;
  return kernels::make_view(arenas_.on_host(program_.slots[tensor.index()]), type, samples);
}

kernels::View Executor::read(TensorId tensor, std::int64_t samples) const {
  auto const image = place(tensor, samples);
  if (has_image(tensor)) {
    device::copy_to_host(image.data, on_device(tensor), image.bytes());
    device::synchronize();
  }
  return image;
}

void Executor::put(TensorId tensor) const {
  if (!has_image(tensor)) return;
  auto const image = place(tensor, program_.largest_batch);
  device::copy_to_device(on_device(tensor), image.data, image.bytes());
  device::synchronize();
}

std::byte* Executor::on_device(TensorId tensor) const {
  return arenas_.at(program_.slots[tensor.index()]);
}

/// Whether it lies in the device's memory and is not copied with each run anyway.
bool Executor::has_image(TensorId tensor) const {
  auto const& slot = program_.slots[tensor.index()];
  return device::has_own_memory() && slot.used && slot.arena != Arena::scalars;
}

/// Binds the transfer of message `number`.
void Executor::bind_message(std::size_t number, BoundEntry& bound) const {
  auto const& message = bound.entry->messages[number];
  if (message.kind == Message::Kind::barrier) {
    bound.transfers[number] =
        barrier_transfer(*memory_, bytes_of_other_ranks(program_, *bound.entry, message.needed));
    return;
  }
  if (message.kind == Message::Kind::factors) {
    auto const& product = bound.entry->broadcasts[message.broadcast];
    bound.transfers[number] = factor_transfer(factors_of(product, bound), *memory_);
    return;
  }
  auto const& instruction = bound.entry->instructions[message.posted];
  auto const input = view(instruction.inputs[0], bound.mini_batch);
  auto const output = view(instruction.outputs[0], bound.mini_batch);
  bound.written[message.posted] = {output};
  if (instruction.panel) {
    bound.written[message.posted].clear();
    for (auto const& range :
         program_.panel_of(instruction, instruction.outputs[0], bound.mini_batch))
      bound.written[message.posted].push_back(rows_of(instruction.outputs[0], range));
  }
  if (is_sum(instruction)) {
    auto const axes = axes_along(program_, instruction.op);
    auto& ranks = groups_->along(axes);
    if (auto* const devices = groups_->sums_along(axes))
      bound.transfers[number] = devices->sum(input, output);
    else if (device::has_own_memory())
      bound.transfers[number] = staged_sum(ranks, input, output);
    else
      bound.transfers[number] = ranks.sum(input.data, output.data, output.elements(), output.type);
    return;
  }
  auto exchange = exchange_of(program_, instruction, bound.mini_batch);
  if (device::has_own_memory()) {
    bound.transfers[number] = staged_exchange(groups_->all(), std::move(exchange), input, output);
    return;
  }
  auto const& scratch = bound.entry->scratch[message.posted];
  std::span<std::byte> const room =
      scratch.used ? std::span(arenas_.at(scratch), static_cast<std::size_t>(scratch.bytes))
                   : std::span<std::byte>();
  bound.transfers[number] =
      exchange_transfer(groups_->all(), std::move(exchange), input, output, room);
}

std::unique_ptr<DeviceStep> Executor::device_step(BoundEntry const& bound) const {
  std::vector<Mirrored> mirrored;
  if (auto const bytes = arenas_.bytes(Arena::scalars); bytes > 0)
    mirrored.push_back({arenas_.at(Arena::scalars), arenas_.on_host(Arena::scalars),
                        static_cast<std::size_t>(bytes)});
  if (auto const status = bound.entry->status; status.valid()) {
    auto const image = place(status, 0);
    mirrored.push_back({on_device(status), image.as<std::byte>(), image.bytes()});
  }
  bool const recordable = std::ranges::all_of(bound.steps, [&](BoundEntry::Step const& step) {
    if (step.kind == BoundEntry::Kind::compute) return !step.kernel->waits();
    return (step.kind == BoundEntry::Kind::post || step.kind == BoundEntry::Kind::await) &&
           bound.transfers[step.message]->is_queued();
  });
  bool const sums = std::ranges::any_of(
      bound.transfers, [](auto const& transfer) { return transfer && transfer->is_queued(); });
  return std::make_unique<DeviceStep>(
      std::move(mirrored), recordable,
      sums ? "sums over ranks by devices, in " + bound.entry->name : std::string());
}

/// Whether it initialises only shared memory, which rank 0 does for all ranks.
bool Executor::is_initialised_by_rank_zero(SpecializedEntry const& entry,
                                           Instruction const& instruction) const {
  return entry.name == "initialize" && rank() != 0 &&
         std::ranges::all_of(instruction.outputs, [&](TensorId id) {
           return program_.slots[id.index()].arena == Arena::shared;
         });
}

Result<BoundEntry const*> Executor::bind(std::string_view name, std::int64_t mini_batch) {
  for (auto const& bound : bound_)
    if (bound->entry->name == name && bound->mini_batch == mini_batch) return bound.get();

  auto const* const entry = program_.entry(name);
  if (entry == nullptr) {
    return Problem{"the plan has no entry point `" + std::string(name) +
                   "`; compile the experiment again"};
  }
  auto const count = entry->instructions.size();
  auto bound = std::make_unique<BoundEntry>();
  bound->entry = entry;
  bound->mini_batch = mini_batch;
  bound->samples = local_samples(mini_batch);
  bound->views.resize(count);
  bound->written.resize(count);
  bound->transfers.resize(entry->messages.size());
  for (std::size_t i = 0; i < count; ++i)
    bound->descriptions.push_back(describe_instruction(plan_, *entry, i));

  using Kind = BoundEntry::Kind;
  std::vector<std::size_t> pending;  // messages, in the order of posting
  auto const add = [&](std::unique_ptr<kernels::Kernel> kernel, std::size_t instruction, Kind kind,
                       std::string_view implementation, std::size_t message) {
    bound->steps.push_back({std::move(kernel), instruction, implementation, kind,
                            bound->descriptions[instruction].c_str(), message});
  };
  auto const await_before = [&](std::size_t instruction) {
    std::erase_if(pending, [&](std::size_t number) {
      auto const& message = entry->messages[number];
      if (message.needed > instruction) return false;
      auto const instruction_of =
          message.kind == Message::Kind::collective ? message.posted : message.needed;
      add(await_kernel(*bound->transfers[number]), instruction_of, Kind::await, "await", number);
      return true;
    });
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == count / 2)
      if (auto fault = planted_kernel(name, rank()))
        add(std::move(fault), i, Kind::compute, "planted fault", 0);
    bool is_sum = false;
    for (; next < entry->messages.size() && entry->messages[next].posted == i; ++next) {
      auto const& message = entry->messages[next];
      bool const sum = message.kind == Message::Kind::collective;
      // A sum may need results of earlier messages; what lies in shared memory is this rank's.
      if (sum) await_before(i);
      bind_message(next, *bound);
      add(post_kernel(*bound->transfers[next]), sum ? i : message.needed, Kind::post, "post", next);
      pending.push_back(next);
      is_sum = is_sum || sum;
    }
    if (is_sum) continue;
    await_before(i);
    if (is_initialised_by_rank_zero(*entry, entry->instructions[i])) continue;
    auto step = bind_instruction(*entry, i, *bound);
    if (!step) return step.problem();
    if (step.value().kernel == nullptr) continue;
    add(std::move(step.value().kernel), i, Kind::compute, step.value().implementation, 0);
    // Transfers in shared memory and of devices make progress without being polled.
    auto const polled = std::ranges::find_if(pending, [&](std::size_t number) {
      return entry->messages[number].kind == Message::Kind::collective &&
             !bound->transfers[number]->is_queued();
    });
    if (polled != pending.end())
      add(poll_kernel(*bound->transfers[*polled]), entry->messages[*polled].posted, Kind::poll,
          "poll", *polled);
  }
  await_before(count);
  // Shared weights are complete and may be read; factors and gradients may be overwritten.
  bool const shares = std::ranges::any_of(entry->messages, [](Message const& message) {
    return message.kind != Message::Kind::collective;
  });
  if (memory_ != nullptr && count > 0 && (shares || name == "initialize"))
    add(barrier_kernel(*memory_), count - 1, Kind::barrier, "barrier", 0);
  if (device::has_own_memory()) bound->on_device = device_step(*bound);
  bound_.push_back(std::move(bound));
  return bound_.back().get();
}

}  // namespace lbann::runtime
