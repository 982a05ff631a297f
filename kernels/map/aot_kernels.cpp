// Recognises expressions that have an ahead-of-time kernel.
#include "kernels/map/aot_kernels.hpp"

#include <algorithm>
#include <numeric>

namespace lbann::kernels {

namespace {

/// The pattern of an AOT kernel; its constants are nodes `first_constant` and following.
template <class I>
Expression written_down() {
  Expression expression;
  std::array<Symbol, I::operands> operands{};
  std::array<Symbol, I::constants + 1> constants{};
  std::array<Symbol, I::outputs> outputs{};
  for (std::uint32_t k = 0; k < I::operands; ++k) {
    expression.nodes.push_back({Node::Kind::operand, {}, {k, 0, 0}, 0});
    operands[k] = {&expression, k};
  }
  for (std::uint32_t k = 0; k < I::constants; ++k) {
    expression.nodes.push_back({Node::Kind::constant, {}, {}, static_cast<double>(k)});
    constants[k] = {&expression, static_cast<std::uint32_t>(I::operands + k)};
  }
  I::define(operands.data(), constants.data(), outputs.data());
  for (auto const& output : outputs) expression.outputs.push_back(output.node);
  return expression;
}

class Matcher {
 public:
  Matcher(Expression const& pattern, Expression const& expression, std::size_t operands,
          std::size_t constants)
      : pattern_(pattern), expression_(expression) {
    found_.operands.assign(operands, none);
    found_.constants.assign(constants, none);
  }

  /// Tries all orders of the outputs.
  bool match() {
    if (pattern_.outputs.size() != expression_.outputs.size()) return false;
    auto const start = found_;
    std::vector<std::uint32_t> order(pattern_.outputs.size());
    std::iota(order.begin(), order.end(), 0u);
    do {
      found_ = start;
      bool good = true;
      for (std::size_t o = 0; good && o < order.size(); ++o)
        good = same(pattern_.outputs[o], expression_.outputs[order[o]]);
      if (good && complete()) {
        found_.outputs = order;
        return true;
      }
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

  AotMatch& found() { return found_; }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  bool complete() const {
    return std::count(found_.operands.begin(), found_.operands.end(), none) == 0 &&
           std::count(found_.constants.begin(), found_.constants.end(), none) == 0;
  }

  static bool stands_for(std::uint32_t& place, std::uint32_t value) {
    if (place == none) place = value;
    return place == value;
  }

  bool same(std::uint32_t p, std::uint32_t e) {
    auto const &pattern = pattern_.nodes[p], &node = expression_.nodes[e];
    if (pattern.kind != node.kind) return false;
    if (pattern.kind == Node::Kind::operand)
      return stands_for(found_.operands[pattern.arguments[0]], node.arguments[0]);
    if (pattern.kind == Node::Kind::constant)
      return stands_for(found_.constants[static_cast<std::size_t>(pattern.constant)], e);
    if (pattern.function != node.function) return false;
    auto const before = found_;
    auto const& a = pattern.arguments;
    auto const& b = node.arguments;
    bool good = true;
    for (std::size_t i = 0; good && i < info_of(node.function).arity; ++i) good = same(a[i], b[i]);
    if (good) return true;
    found_ = before;
    bool const commutes = node.function == Function::add || node.function == Function::multiply;
    if (commutes && same(a[0], b[1]) && same(a[1], b[0])) return true;
    found_ = before;
    return false;
  }

  Expression const& pattern_;
  Expression const& expression_;
  AotMatch found_;
};

template <class I>
bool match_one(std::uint8_t number, Expression const& expression,
               std::function<bool(std::size_t)> const& is_scalar, std::optional<AotMatch>& found) {
  auto const pattern = written_down<I>();
  Matcher matcher(pattern, expression, I::operands, I::constants);
  if (!matcher.match()) return false;
  auto& match = matcher.found();
  match.kernel = number;
  for (std::size_t j = 0; j < I::operands; ++j)
    if (is_scalar(match.operands[j])) match.variant |= static_cast<std::uint16_t>(1u << j);
  if (std::find(I::variants.begin(), I::variants.end(), match.variant) == I::variants.end())
    return false;
  found = std::move(match);
  return true;
}

/// Calls f(AOT kernel, its number) until it answers true.
template <class F>
void for_each_aot_kernel(F&& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    static_cast<void>((f(std::tuple_element_t<i, aot::List>{}, std::uint8_t(i + 1)) || ...));
  }(std::make_index_sequence<std::tuple_size_v<aot::List>>{});
}

}  // namespace

std::optional<AotMatch> match_aot_kernel(Expression const& expression,
                                         std::function<bool(std::size_t)> const& is_scalar) {
  std::optional<AotMatch> found;
  if (expression.nodes.size() > 64) return found;
  for_each_aot_kernel([&](auto kernel, std::uint8_t number) {
    return match_one<decltype(kernel)>(number, expression, is_scalar, found);
  });
  return found;
}

std::string_view aot_kernel_name(std::uint8_t kernel) {
  std::string_view name;
  for_each_aot_kernel([&](auto one, std::uint8_t number) {
    return number == kernel ? (name = one.name, true) : false;
  });
  return name;
}

Expression aot_kernel_expression(std::uint8_t kernel, std::vector<double> const& constants) {
  Expression expression;
  for_each_aot_kernel([&](auto one, std::uint8_t number) {
    if (number != kernel) return false;
    expression = written_down<decltype(one)>();
    for (auto& node : expression.nodes)
      if (node.kind == Node::Kind::constant)
        node.constant = constants[static_cast<std::size_t>(node.constant)];
    return true;
  });
  return expression;
}

std::size_t aot_kernel_count() { return std::tuple_size_v<aot::List>; }

}  // namespace lbann::kernels
