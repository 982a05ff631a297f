// Equal columns of values are one parameter.
#include "compiler/export/parameters.hpp"

#include <algorithm>

#include "compiler/experiment/expanding/modules.hpp"
#include "compiler/export/nodes.hpp"
#include "compiler/export/numbered_text.hpp"

namespace lbann::compiler {

namespace {

bool word_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The word that a number stands behind: `encoder` of `transformer_encoder0`.
std::string word_before(std::string const& text) {
  auto begin = text.size();
  while (begin > 0 && word_letter(text[begin - 1])) --begin;
  auto word = text.substr(begin);
  for (auto const* keyword : {"", "if", "else", "and", "or", "not", "true", "false", "env"})
    if (word == keyword) return "number";
  return word;
}

bool all_equal(auto const& values, auto const& equal) {
  return std::ranges::all_of(values, [&](auto const& each) { return equal(each, values.front()); });
}

std::string parameter_type(FieldKind kind) {
  for (auto const& [name, of] : parameter_types)
    if (of == kind) return std::string(name);
  return "text";
}

bool same_rests(std::vector<std::string> const& texts) {
  auto const rests = take_apart(texts.front()).rests;
  return std::ranges::all_of(
      texts, [&](std::string const& each) { return take_apart(each).rests == rests; });
}

/// The texts from their `words`-th last `_` on; nothing where one has fewer.
std::optional<std::vector<std::string>> endings(std::vector<std::string> const& texts,
                                                std::size_t words) {
  std::vector<std::string> result;
  for (auto const& text : texts) {
    auto at = text.size();
    for (std::size_t word = 0; word < words; ++word) {
      at = at == 0 ? std::string::npos : text.rfind('_', at - 1);
      if (at == std::string::npos || at == 0) return std::nullopt;
    }
    result.push_back(text.substr(at));
  }
  return result;
}

}  // namespace

Parameters::Parameter& Parameters::add(std::string name, std::string type) {
  auto const taken = [&](std::string const& wanted) {
    return std::ranges::find(parameters_, wanted, &Parameter::name) != parameters_.end();
  };
  auto unique = name;
  for (int number = 2; taken(unique); ++number) unique = name + std::to_string(number);
  return parameters_.emplace_back(Parameter{std::move(unique), std::move(type), {}, {}, {}, {}});
}

std::string Parameters::counted(std::vector<std::int64_t> const& numbers,
                                std::string const& before) {
  if (all_equal(numbers, std::equal_to<>())) return std::to_string(numbers.front());
  for (auto const& known : parameters_) {
    if (known.counts.empty()) continue;
    auto const ahead = numbers.front() - known.counts.front();
    bool even = true;
    for (std::size_t k = 0; k < calls_; ++k) even = even && numbers[k] - known.counts[k] == ahead;
    if (even) return growing(ahead, 1, known.name);
  }
  auto& made = add(word_before(before), "integer");
  made.counts = numbers;
  for (auto const number : numbers)
    made.values.push_back(scalar_node(std::to_string(number), false));
  return "${" + made.name + "}";
}

std::optional<std::string> Parameters::numbered(std::vector<std::string> const& texts) {
  if (!same_rests(texts)) return std::nullopt;
  auto const rests = take_apart(texts.front()).rests;
  auto written = rests.front();
  for (std::size_t n = 0; n + 1 < rests.size(); ++n) {
    std::vector<std::int64_t> numbers;
    for (auto const& each : texts) numbers.push_back(take_apart(each).numbers[n]);
    written += counted(numbers, rests[n]) + rests[n + 1];
  }
  return written;
}

std::string Parameters::begun(std::vector<std::string> const& texts) {
  for (std::size_t known = 0; known < parameters_.size(); ++known) {
    auto const& beginnings = parameters_[known].beginnings;
    std::vector<std::string> rests;
    for (std::size_t k = 0; k < calls_ && !beginnings.empty(); ++k)
      if (texts[k].starts_with(beginnings[k]))
        rests.push_back(texts[k].substr(beginnings[k].size()));
    if (rests.size() != calls_) continue;
    auto const name = parameters_[known].name;
    if (auto const rest = numbered(rests)) return "${" + name + "}" + *rest;
  }
  std::vector<std::string> ends(calls_);
  for (std::size_t words = 1; auto const longer = endings(texts, words); ++words) {
    if (!same_rests(*longer)) break;
    ends = *longer;
  }
  auto& made = add("name", "text");
  for (std::size_t k = 0; k < calls_; ++k) {
    made.beginnings.push_back(texts[k].substr(0, texts[k].size() - ends[k].size()));
    made.values.push_back(scalar_node(made.beginnings.back(), true));
  }
  auto const name = made.name;
  return "${" + name + "}" + *numbered(ends);
}

std::string Parameters::text(std::vector<std::string> const& texts) {
  if (all_equal(texts, std::equal_to<>())) return texts.front();
  auto const written = numbered(texts);
  return written ? *written : begun(texts);
}

Node Parameters::value(FieldInfo const& field, std::vector<Node> const& values,
                       std::optional<Node> const& otherwise) {
  if (all_equal(values, same)) return values.front();
  auto const type = parameter_type(field.kind);
  auto const use = [](Parameter const& parameter) {
    return scalar_node("${" + parameter.name + "}", true);
  };
  for (auto const& known : parameters_)
    if (known.type == type && known.otherwise.has_value() == otherwise.has_value() &&
        (!otherwise || same(*known.otherwise, *otherwise)) &&
        std::ranges::equal(known.values, values, same))
      return use(known);
  auto& made = add(std::string(field.name), type);
  made.values = values;
  made.otherwise = otherwise;
  return use(made);
}

Node Parameters::declared() const {
  auto node = mapping_node();
  for (auto const& parameter : parameters_) {
    auto type = scalar_node(parameter.type, true);
    if (!parameter.otherwise) {
      put(node, parameter.name, std::move(type));
      continue;
    }
    auto both = mapping_node();
    put(both, "type", std::move(type));
    put(both, "default", *parameter.otherwise);
    put(node, parameter.name, std::move(both));
  }
  return node;
}

Node Parameters::given(std::size_t call) const {
  auto node = mapping_node();
  for (auto const& parameter : parameters_)
    if (!parameter.otherwise || !same(parameter.values[call], *parameter.otherwise))
      put(node, parameter.name, parameter.values[call]);
  return node;
}

std::vector<std::vector<std::string>> Parameters::beginnings() const {
  std::vector<std::vector<std::string>> all;
  for (auto const& parameter : parameters_)
    if (!parameter.beginnings.empty()) all.push_back(parameter.beginnings);
  return all;
}

}  // namespace lbann::compiler
