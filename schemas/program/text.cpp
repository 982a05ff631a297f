// Text form of programs: writing.
#include <algorithm>
#include <charconv>
#include <span>

#include "schemas/program/program.hpp"

namespace lbann {

namespace {

bool is_plain(std::string_view name) {
  auto const plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./+-").find(c) != std::string_view::npos;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), plain);
}

void write_name(std::string& text, std::string_view name) {
  if (is_plain(name)) {
    text += name;
    return;
  }
  text += '"';
  for (char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  text += '"';
}

void write_number(std::string& text, double number) {
  std::array<char, 40> digits;
  text.append(digits.begin(), std::to_chars(digits.begin(), digits.end(), number).ptr);
}

template <class List, class Write>
void write_list(std::string& text, List const& list, Write const& write) {
  text += '[';
  bool first = true;
  for (auto const& item : list) {
    if (!first) text += ", ";
    first = false;
    write(item);
  }
  text += ']';
}

void write_names(std::string& text, std::vector<std::string> const& names) {
  write_list(text, names, [&](std::string const& name) { write_name(text, name); });
}

void write_value(std::string& text, Value const& value) {
  std::visit(
      [&]<class T>(T const& held) {
        if constexpr (std::is_same_v<T, bool>)
          text += held ? "true" : "false";
        else if constexpr (std::is_same_v<T, std::int64_t>)
          text += std::to_string(held);
        else if constexpr (std::is_same_v<T, double>)
          write_number(text, held);
        else if constexpr (std::is_same_v<T, std::string>)
          write_name(text, held);
        else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
          write_list(text, held, [&](std::int64_t item) { text += std::to_string(item); });
        else if constexpr (std::is_same_v<T, std::vector<double>>)
          write_list(text, held, [&](double item) { write_number(text, item); });
        else if constexpr (std::is_same_v<T, std::vector<std::string>>)
          write_names(text, held);
        else
          text += to_text(held);
      },
      value);
}

void write_origin(std::string& text, Origin const& origin) {
  if (!origin.name.empty()) {
    text += " from ";
    write_name(text, origin.name);
  }
  if (!origin.pass.empty()) {
    text += " by ";
    write_name(text, origin.pass);
  }
}

/// Those fields that differ from their defaults.
void write_fields(std::string& text, std::span<FieldView const> fields,
                  std::span<FieldView const> defaults) {
  bool first = true;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    auto const value = fields[i].value();
    if (value == defaults[i].value()) continue;
    text += first ? " {" : ", ";
    first = false;
    text += fields[i].terms->name;
    text += ": ";
    write_value(text, value);
  }
  if (!first) text += '}';
}

void write_operator(std::string& text, Operator const& op) {
  std::visit([&]<class T>(T const& o) { write_fields(text, fields_of(o), fields_of(T{})); }, op);
}

void write_tensor(std::string& text, Program const& program, Tensor const& tensor) {
  text += "tensor ";
  write_name(text, tensor.name);
  text += ": ";
  text += tensor_role_names[static_cast<std::size_t>(tensor.role)];
  text += ' ';
  text += name_of(tensor.type.type);
  text += ' ';
  text += to_text(tensor.type.shape);
  if (tensor.owner.valid()) {
    text += " of ";
    write_name(text, program[tensor.owner].name);
  }
  if (tensor.slot != 0) text += " slot " + std::to_string(tensor.slot);
  if (!tensor.distribution.split.empty()) {
    text += " split ";
    write_list(text, tensor.distribution.split,
               [&](std::vector<std::string> const& axes) { write_names(text, axes); });
  }
  if (!tensor.distribution.partial.empty()) {
    text += " partial ";
    write_names(text, tensor.distribution.partial);
  }
  write_origin(text, tensor.origin);
  text += '\n';
}

void write_timing(std::string& text, Timing const& timing) {
  text += " at ";
  text += moment_names[static_cast<std::size_t>(timing.moment)];
  text += " from " + std::to_string(timing.first);
  if (timing.last != Timing{}.last) text += " to " + std::to_string(timing.last);
  if (timing.interval != 1) text += " every " + std::to_string(timing.interval);
}

void write_instruction(std::string& text, Program const& program, Instruction const& instruction) {
  for (std::size_t i = 0; i < instruction.outputs.size(); ++i) {
    if (i != 0) text += ", ";
    write_name(text, program[instruction.outputs[i]].name);
  }
  text += " = ";
  text += name_of(instruction.op);
  text += '(';
  for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
    if (i != 0) text += ", ";
    write_name(text, program[instruction.inputs[i]].name);
  }
  text += ')';
  write_operator(text, instruction.op);
  write_origin(text, instruction.origin);
}

}  // namespace

std::string to_text(Program const& program, Instruction const& instruction) {
  std::string text;
  write_instruction(text, program, instruction);
  return text;
}

std::string to_text(Program const& program) {
  std::string text;
  for (auto const& tensor : program.tensors) write_tensor(text, program, tensor);
  for (auto const& entry : program.entry_points) {
    text += "entry ";
    write_name(text, entry.name);
    if (entry.timing) write_timing(text, *entry.timing);
    text += ":\n";
    for (auto const& instruction : entry.instructions) {
      text += "  ";
      write_instruction(text, program, instruction);
      text += '\n';
    }
  }
  return text;
}

}  // namespace lbann
