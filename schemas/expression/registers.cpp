// Registers by one pass over the nodes.
#include "schemas/expression/registers.hpp"

#include "schemas/expression/function_info.hpp"

namespace lbann {

RegisterAllocation allocate_registers(Expression const& expression) {
  auto const& nodes = expression.nodes;
  std::vector<std::size_t> last_use(nodes.size());
  auto arity = [](Node const& node) {
    return node.kind == Node::Kind::function ? info_of(node.function).arity : std::size_t{0};
  };
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    last_use[n] = n;
    for (std::size_t i = 0; i < arity(nodes[n]); ++i) last_use[nodes[n].arguments[i]] = n;
  }
  for (auto output : expression.outputs) last_use[output] = nodes.size();

  RegisterAllocation allocation;
  std::vector<std::size_t> registers(nodes.size());
  std::vector<std::size_t> free;  // taken from the back
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (std::size_t i = 0; i < arity(nodes[n]); ++i) {
      auto const argument = nodes[n].arguments[i];
      bool seen = false;
      for (std::size_t j = 0; j < i; ++j) seen = seen || nodes[n].arguments[j] == argument;
      if (!seen && last_use[argument] == n) free.push_back(registers[argument]);
    }
    if (free.empty()) free.push_back(allocation.count++);
    registers[n] = free.back();
    free.pop_back();
    if (last_use[n] == n) free.push_back(registers[n]);
  }
  for (auto r : registers) allocation.register_of.push_back(static_cast<std::uint8_t>(r));
  return allocation;
}

bool fits_registers(Expression const& expression) {
  return expression.nodes.size() <= max_registers ||
         allocate_registers(expression).count <= max_registers;
}

bool within_limits(Expression const& expression) {
  return expression.nodes.size() <= max_nodes && expression.outputs.size() <= max_outputs &&
         expression.operand_count() <= max_operands && fits_registers(expression);
}

}  // namespace lbann
