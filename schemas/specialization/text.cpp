// Programs of one rank for people to read.
#include "schemas/specialization/panel_samples.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

namespace {

std::string text_of(Slot const& slot) {
  if (!slot.used) return "nowhere";
  return std::string(arena_names[static_cast<std::size_t>(slot.arena)]) + "[" +
         std::to_string(slot.offset) + ", " + std::to_string(slot.offset + slot.bytes) + ")";
}

}  // namespace

std::string to_text(SpecializedProgram const& program) {
  std::string text = "largest local batch " + std::to_string(program.largest_batch) + "\n";
  for (std::size_t i = 0; i < arena_count; ++i)
    text +=
        std::string(arena_names[i]) + ": " + std::to_string(program.arena_bytes[i]) + " bytes\n";
  for (std::size_t i = 0; i < program.tensors.size(); ++i) {
    auto const& tensor = program.tensors[i];
    text += tensor.name + ": " + std::string(name_of(tensor.type.type)) +
            to_text(tensor.type.shape) + " at " + text_of(program.slots[i]) + "\n";
  }
  for (auto const& entry : program.entries) {
    text += "\n" + entry.name + ":\n";
    auto message = entry.messages.begin();
    for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
      auto const& instruction = entry.instructions[i];
      for (; message != entry.messages.end() && message->posted == i &&
             message->kind != Message::Kind::collective;
           ++message) {
        if (message->kind == Message::Kind::barrier) {
          text += "  all ranks\n";
          continue;
        }
        auto const& factors = entry.broadcasts[message->broadcast];
        text += "  factors of " + std::to_string(message->needed) + " at " + text_of(factors.a) +
                ", " + text_of(factors.b) + "\n";
      }
      text += "  " + std::to_string(i) + ": ";
      for (auto id : instruction.outputs)
        text += (id == instruction.outputs.front() ? "" : ", ") + program.tensors[id.index()].name;
      text += " = " + std::string(name_of(instruction.op)) + "(";
      for (std::size_t k = 0; k < instruction.inputs.size(); ++k)
        text += (k == 0 ? "" : ", ") + program.tensors[instruction.inputs[k].index()].name;
      text += ")";
      if (instruction.panel) text += " " + to_text(*instruction.panel);
      if (message != entry.messages.end() && message->posted == i)
        text += " needed at " + std::to_string(message++->needed);
      if (entry.scratch[i].used) text += " scratch " + text_of(entry.scratch[i]);
      text += "\n";
    }
  }
  return text;
}

std::string to_text(Specialization const& specialization) {
  auto const& program = specialization.program;
  auto text = to_text(program) + "\nlargest local batch " +
              std::to_string(specialization.largest_batch) + "\n";
  for (std::size_t i = 0; i < arena_count && !specialization.slots.empty(); ++i)
    text += std::string(arena_names[i]) + ": " + std::to_string(specialization.arena_bytes[i]) +
            " bytes\n";
  for (std::size_t i = 0; i < program.tensors.size(); ++i) {
    TensorId const id(i);
    std::string facts;
    if (specialization.is_shared(id)) facts += ", shared by all ranks";
    if (i < specialization.storage.size() && specialization.storage[i] != id)
      facts += ", in the memory of " + program[specialization.storage[i]].name;
    if (i < specialization.slots.size() && specialization.slots[i].used)
      facts += " at " + text_of(specialization.slots[i]);
    if (i < specialization.bucket.size() && specialization.bucket[i] != no_bucket)
      facts += ", bucket " + std::to_string(specialization.bucket[i]);
    if (facts.starts_with(",")) facts.erase(0, 1);
    if (!facts.empty()) text += program.tensors[i].name + ":" + facts + "\n";
  }
  for (auto const& entry : program.entry_points)
    for (std::size_t i = 0; i < entry.instructions.size(); ++i)
      if (entry.instructions[i].factor_broadcast)
        text +=
            entry.name + ": instruction " + std::to_string(i) + " by sufficient-factor broadcast\n";
      else if (auto const& panel = entry.instructions[i].panel)
        text += entry.name + ": instruction " + std::to_string(i) + " on " + to_text(*panel) + "\n";
  for (std::size_t e = 0; e < specialization.messages.size(); ++e) {
    for (auto const& message : specialization.messages[e]) {
      static constexpr std::array<std::string_view, 3> kinds = {
          "sum posted by instruction ", "factors posted before instruction ",
          "all ranks have come to instruction "};
      text += program.entry_points[e].name + ": ";
      text += kinds[static_cast<std::size_t>(message.kind)];
      text +=
          std::to_string(message.posted) + ", needed by " + std::to_string(message.needed) + "\n";
    }
    for (std::size_t i = 0; i < specialization.scratch[e].size(); ++i)
      if (auto const& slot = specialization.scratch[e][i]; slot.used)
        text += program.entry_points[e].name + ": scratch of instruction " + std::to_string(i) +
                " at " + text_of(slot) + "\n";
  }
  return text;
}

}  // namespace lbann
