// Text form of programs: reading.
#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "schemas/program/program.hpp"

namespace lbann {

namespace {

/// Reads one line from left to right. After a failure every read fails.
class Line {
 public:
  explicit Line(std::string_view text) : text_(text) {}

  bool at_end() {
    skip_space();
    return text_.empty();
  }

  bool take(std::string_view wanted) {
    skip_space();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(wanted.size());
    return true;
  }

  /// A plain or quoted name; empty if there is none.
  std::string name() {
    skip_space();
    if (text_.starts_with('"')) return quoted();
    auto const end = text_.find_first_of(" :,()[]{}=\"");
    std::string result(text_.substr(0, end));
    text_.remove_prefix(result.size());
    return result;
  }

  /// The text up to the bracket that closes the one it begins with.
  std::string_view bracketed() {
    skip_space();
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '(' || text_[i] == '[') ++depth;
      if (text_[i] == ')' || text_[i] == ']') {
        if (depth == 0 || --depth != 0) continue;
        auto const result = text_.substr(0, i + 1);
        text_.remove_prefix(i + 1);
        return result;
      }
      if (depth == 0) break;
    }
    return {};
  }

  template <class Number>
  std::optional<Number> number() {
    skip_space();
    Number value{};
    auto const [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  /// `[item, item]`, each read by `read`, which gives an optional.
  template <class Item, class Read>
  std::optional<std::vector<Item>> list(Read const& read) {
    std::vector<Item> items;
    if (!take("[")) return std::nullopt;
    if (take("]")) return items;
    do {
      auto item = read();
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
    } while (take(","));
    if (!take("]")) return std::nullopt;
    return items;
  }

  std::optional<std::vector<std::string>> names() {
    return list<std::string>([&]() -> std::optional<std::string> {
      auto text = name();
      if (text.empty()) return std::nullopt;
      return text;
    });
  }

 private:
  void skip_space() {
    while (text_.starts_with(' ')) text_.remove_prefix(1);
  }

  std::string quoted() {
    std::string result;
    for (std::size_t i = 1; i < text_.size(); ++i) {
      if (text_[i] == '"') {
        text_.remove_prefix(i + 1);
        return result;
      }
      if (text_[i] == '\\' && i + 1 < text_.size()) {
        ++i;
        result += text_[i] == 'n' ? '\n' : text_[i];
      } else {
        result += text_[i];
      }
    }
    return {};
  }

  std::string_view text_;
};

std::optional<Value> read_value(Line& line, FieldKind kind) {
  auto const lift = [](auto value) -> std::optional<Value> {
    if (!value) return std::nullopt;
    return Value(std::move(*value));
  };
  switch (kind) {
    case FieldKind::boolean:
      if (line.take("true")) return Value(true);
      if (line.take("false")) return Value(false);
      return std::nullopt;
    case FieldKind::integer:
      return lift(line.number<std::int64_t>());
    case FieldKind::real:
      return lift(line.number<double>());
    case FieldKind::text:
    case FieldKind::choice:
      return Value(line.name());
    case FieldKind::integers:
      return lift(line.list<std::int64_t>([&] { return line.number<std::int64_t>(); }));
    case FieldKind::reals:
      return lift(line.list<double>([&] { return line.number<double>(); }));
    case FieldKind::texts:
      return lift(line.names());
    case FieldKind::shape:
      return lift(parse_shape(line.bracketed()));
    case FieldKind::expression:
      return lift(parse_expression(line.bracketed()));
  }
  return std::nullopt;
}

class Parser {
 public:
  Result<Program> parse(std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
      ++number;
      auto const end = text.find('\n');
      Line line(text.substr(0, end));
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
      std::string fault;
      if (line.at_end())
        continue;
      else if (line.take("tensor "))
        fault = read_tensor(line);
      else if (line.take("entry "))
        fault = read_entry(line);
      else
        fault = read_instruction(line);
      if (fault.empty() && !line.at_end()) fault = "something follows the end";
      if (!fault.empty()) return Problem{"line " + std::to_string(number) + ": " + fault};
    }
    for (auto const& [tensor, owner] : owners_) {
      program_.tensors[tensor].owner = find(owner);
      if (!find(owner).valid()) return Problem{"no tensor `" + owner + "` that owns another"};
    }
    return std::move(program_);
  }

 private:
  std::string read_origin(Line& line, Origin& origin) {
    if (line.take("from ")) origin.name = line.name();
    if (line.take("by ")) origin.pass = line.name();
    return {};
  }

  std::string read_tensor(Line& line) {
    Tensor tensor;
    tensor.name = line.name();
    if (tensor.name.empty() || !line.take(":")) return "a tensor needs a name and a colon";
    auto const role = line.name();
    std::size_t index = 0;
    while (index < tensor_role_names.size() && tensor_role_names[index] != role) ++index;
    if (index == tensor_role_names.size()) return "no role `" + role + "`";
    tensor.role = static_cast<TensorRole>(index);
    auto const type_name = line.name();
    auto const type = data_type_named(type_name);
    if (!type) return "no type `" + type_name + "`";
    auto const shape = parse_shape(line.bracketed());
    if (!shape) return "a shape is missing";
    tensor.type = {*type, *shape};
    if (line.take("of ")) {
      owners_.emplace_back(program_.tensors.size(), line.name());
    }
    if (line.take("slot ")) {
      auto const slot = line.number<std::uint8_t>();
      if (!slot) return "a slot is a small number";
      tensor.slot = *slot;
    }
    if (line.take("split ")) {
      auto split = line.list<std::vector<std::string>>([&] { return line.names(); });
      if (!split) return "a split is a list of lists of axes";
      tensor.distribution.split = std::move(*split);
    }
    if (line.take("partial ")) {
      auto partial = line.names();
      if (!partial) return "a partial sum is over a list of axes";
      tensor.distribution.partial = std::move(*partial);
    }
    if (!ids_.emplace(tensor.name, program_.tensors.size()).second)
      return "a second tensor `" + tensor.name + "`";
    auto fault = read_origin(line, tensor.origin);
    program_.add(std::move(tensor));
    return fault;
  }

  static std::optional<Timing> read_timing(Line& line) {
    auto const moment = std::ranges::find(moment_names, line.name());
    if (moment == moment_names.end() || !line.take("from ")) return std::nullopt;
    Timing timing{static_cast<Moment>(moment - moment_names.begin())};
    auto const read = [&](std::int64_t& count) {
      auto const number = line.number<std::int64_t>();
      count = number.value_or(0);
      return number.has_value();
    };
    if (!read(timing.first) || (line.take("to ") && !read(timing.last)) ||
        (line.take("every ") && !read(timing.interval)))
      return std::nullopt;
    return timing;
  }

  std::string read_entry(Line& line) {
    EntryPoint entry;
    entry.name = line.name();
    if (line.take("at ")) {
      entry.timing = read_timing(line);
      if (!entry.timing) return "a timing is a moment, and counts `from`, `to` and `every`";
    }
    if (entry.name.empty() || !line.take(":")) return "an entry point needs a name and a colon";
    program_.entry_points.push_back(std::move(entry));
    return {};
  }

  std::string read_instruction(Line& line) {
    if (program_.entry_points.empty()) return "an instruction outside any entry point";
    Instruction instruction;
    do {
      auto const name = line.name();
      auto const id = find(name);
      if (!id.valid()) return "no tensor `" + name + "`";
      instruction.outputs.push_back(id);
    } while (line.take(","));
    if (!line.take("=")) return "`=` is missing";
    auto const name = line.name();
    auto const info = std::find_if(infos_.begin(), infos_.end(),
                                   [&](OperatorInfo const& i) { return i.name == name; });
    if (info == infos_.end()) return "no operator `" + name + "`";
    if (!line.take("(")) return "`(` is missing";
    if (!line.take(")")) {
      do {
        auto const input = line.name();
        auto const id = find(input);
        if (!id.valid()) return "no tensor `" + input + "`";
        instruction.inputs.push_back(id);
      } while (line.take(","));
      if (!line.take(")")) return "`)` is missing";
    }
    Record record{name, {}};
    for (auto const& field : info->fields)
      record.fields.emplace_back(std::string(field.name), field.default_value);
    if (line.take("{")) {
      do {
        auto const key = line.name();
        std::size_t index = 0;
        while (index < info->fields.size() && info->fields[index].name != key) ++index;
        if (index == info->fields.size() || !line.take(":")) return "no field `" + key + "`";
        auto value = read_value(line, info->fields[index].kind);
        if (!value) return "no value for `" + key + "`";
        record.fields[index].second = std::move(*value);
      } while (line.take(","));
      if (!line.take("}")) return "`}` is missing";
    }
    auto op = operator_from(record);
    if (!op) return "a field of `" + name + "` has no such value";
    instruction.op = std::move(*op);
    auto fault = read_origin(line, instruction.origin);
    program_.entry_points.back().instructions.push_back(std::move(instruction));
    return fault;
  }

  TensorId find(std::string const& name) const {
    auto const found = ids_.find(name);
    return found == ids_.end() ? TensorId{} : TensorId(found->second);
  }

  Program program_;
  std::unordered_map<std::string, std::size_t> ids_;
  std::vector<std::pair<std::size_t, std::string>> owners_;  ///< may stand below what they own
  std::vector<OperatorInfo> infos_ = describe_operators();
};

}  // namespace

Result<Program> parse_program(std::string_view text) { return Parser().parse(text); }

}  // namespace lbann
