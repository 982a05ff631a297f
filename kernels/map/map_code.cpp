// Compiles an expression to bytecode: allocates registers, finds what can be used in place.
#include "kernels/map/map_code.hpp"

#include <algorithm>
#include <limits>

#include "kernels/map/aot_kernels.hpp"
#include "kernels/map/map_views.hpp"
#include "schemas/functions/function.hpp"

namespace lbann::kernels {

namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

bool overlap(View const& a, View const& b) {
  auto const* const a_begin = static_cast<std::byte const*>(a.data);
  auto const* const b_begin = static_cast<std::byte const*>(b.data);
  auto const bytes = [](View const& v) { return v.elements() * std::int64_t(bytes_of(v.type)); };
  return a_begin < b_begin + bytes(b) && b_begin < a_begin + bytes(a);
}

class Assembler {
 public:
  explicit Assembler(MapRequest const& request) : request_(request) {}

  std::optional<MapCode> assemble() {
    auto const& expression = request_.expression;
    if (request_.compute != DataType::f32 && request_.compute != DataType::f64) return {};
    if (request_.operands.size() > max_operands || request_.outputs.size() > max_outputs) return {};
    if (expression.outputs.size() != request_.outputs.size() ||
        expression.operand_count() > request_.operands.size())
      return {};
    code_.compute = request_.compute;
    code_.operand_count = static_cast<std::uint8_t>(request_.operands.size());
    code_.output_count = static_cast<std::uint8_t>(request_.outputs.size());
    if (!bind_views(request_, code_) || !find_aliases() || !place_scalars()) return {};
    if (!(request_.aot_kernels && take_aot_kernel()) && !(schedule() && emit())) return {};
    code_.cost = estimated_cost(request_, code_);
    find_shared_outputs();
    return code_;
  }

 private:
  /// Which operands are the same memory as which outputs; false if otherwise than in place.
  bool find_aliases() {
    for (std::size_t k = 0; k < request_.operands.size(); ++k)
      for (std::size_t o = 0; o < request_.outputs.size(); ++o) {
        auto const &operand = request_.operands[k], &output = request_.outputs[o];
        if (output.data == nullptr || code_.elements == 0) continue;
        bool const later = operand.data == nullptr;
        if (!later && !overlap(operand, output)) continue;
        bool const in_place = code_.operands[k].access == Access::linear &&
                              bytes_of(operand.type) == bytes_of(output.type) &&
                              (later || operand.data == output.data);
        if (!later && !in_place) return false;
        aliases_[k][o] = true;
      }
    return true;
  }

  void find_shared_outputs() {
    for (std::size_t o = 0; o < request_.outputs.size(); ++o)
      for (std::size_t k = 0; k < request_.operands.size(); ++k)
        code_.outputs[o].shared = code_.outputs[o].shared || aliases_[k][o];
  }

  bool is_scalar_operand(std::size_t k) const { return kernels::is_scalar(code_.operands[k]); }
  /// Whether operand `k` is used where it lies.
  bool in_place(std::size_t k) const {
    auto const& operand = code_.operands[k];
    return operand.type == code_.compute && !is_scalar_operand(k) &&
           operand.access != Access::expanded && !copied_first_[k];
  }

  /// Constants, operands of one element, and functions of nothing else get scalar slots.
  bool place_scalars() {
    auto const& nodes = request_.expression.nodes;
    nodes_.resize(nodes.size());
    std::vector<bool> used(nodes.size(), false);
    for (auto output : request_.expression.outputs) used[output] = true;
    for (std::size_t i = nodes.size(); i-- > 0;)
      if (used[i] && nodes[i].kind == Node::Kind::function)
        for (std::size_t a = 0; a < info_of(nodes[i].function).arity; ++a)
          used[nodes[i].arguments[a]] = true;
    std::size_t count = 0;
    auto take = [&](std::size_t i) {
      nodes_[i].scalar = true;
      nodes_[i].slot = static_cast<std::uint8_t>(count++);
      return count <= max_scalars;
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      nodes_[i].used = used[i];
      if (!used[i] || nodes[i].kind != Node::Kind::constant) continue;
      if (!take(i)) return false;
      code_.constants[nodes_[i].slot] = nodes[i].constant;
    }
    code_.constant_count = static_cast<std::uint8_t>(count);
    for (std::size_t k = 0; k < request_.operands.size(); ++k) {
      if (!is_scalar_operand(k)) continue;
      code_.operands[k].scalar = static_cast<std::uint8_t>(count++);
      if (count > max_scalars) return false;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      auto const& node = nodes[i];
      if (!used[i]) continue;
      if (node.kind == Node::Kind::operand && is_scalar_operand(node.arguments[0])) {
        nodes_[i].scalar = true;
        nodes_[i].slot = code_.operands[node.arguments[0]].scalar;
      } else if (node.kind == Node::Kind::function) {
        Step step{operation_of(node), 0, {}};
        bool scalar = true;
        for (std::size_t a = 0; a < info_of(node.function).arity; ++a) {
          scalar = scalar && nodes_[node.arguments[a]].scalar;
          step.arguments[a] = nodes_[node.arguments[a]].slot;
        }
        if (!scalar) continue;
        if (!take(i)) return false;
        step.destination = nodes_[i].slot;
        code_.scalar_steps[code_.scalar_step_count++] = step;
      }
    }
    return true;
  }

  static std::uint16_t operation_of(Node const& node) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(node.function) * 8);
  }

  /// An ahead-of-time kernel of the same expression, if there is one.
  bool take_aot_kernel() {
    auto const match =
        match_aot_kernel(request_.expression, [&](std::size_t k) { return is_scalar_operand(k); });
    if (!match) return false;
    code_.aot_kernel = match->kernel;
    code_.aot_variant = match->variant;
    std::uint8_t registers = 0;
    // What each operand is loaded into, so that one that occurs twice is loaded once.
    for (std::size_t j = 0; j < match->operands.size(); ++j) {
      auto const k = match->operands[j];
      if (is_scalar_operand(k)) {
        code_.aot_operands[j] = code_.operands[k].scalar;
      } else if (in_place(k)) {
        code_.aot_operands[j] = static_cast<std::uint8_t>(first_operand_slot + k);
      } else {
        code_.aot_operands[j] = registers;
        push({load, registers++, {static_cast<std::uint8_t>(k), 0, 0}});
      }
    }
    for (std::size_t j = 0; j < match->constants.size(); ++j)
      code_.aot_constants[j] = nodes_[match->constants[j]].slot;
    push({call_aot_kernel, 0, {}});
    for (std::size_t j = 0; j < match->outputs.size(); ++j) {
      auto const o = match->outputs[j];
      if (code_.outputs[o].type == code_.compute) {
        code_.aot_outputs[j] = static_cast<std::uint8_t>(first_output_slot + o);
      } else {
        code_.aot_outputs[j] = registers;
        push({store, static_cast<std::uint8_t>(o), {registers++, 0, 0}});
      }
    }
    if (registers <= max_registers) return true;
    code_.aot_kernel = code_.step_count = 0;
    return false;
  }

  struct Event {
    bool loads = false;  ///< node is an operand to be loaded
    std::uint32_t node = 0;
  };

  /// Orders loads and functions, finds last uses, and which outputs are written where they lie.
  bool schedule() {
    auto const& expression = request_.expression;
    auto const& nodes = expression.nodes;
    // An operand that is an output as it is must be read before another output in its place is
    // written.
    for (std::size_t o = 0; o < expression.outputs.size(); ++o) {
      auto const& node = nodes[expression.outputs[o]];
      if (node.kind != Node::Kind::operand) continue;
      for (std::size_t other = 0; other < request_.outputs.size(); ++other)
        if (other != o && aliases_[node.arguments[0]][other])
          copied_first_[node.arguments[0]] = true;
    }
    std::array<std::size_t, max_operands> last_read{};
    auto need = [&](std::uint32_t i) {
      if (nodes[i].kind != Node::Kind::operand || nodes_[i].scalar) return;
      auto const k = nodes[i].arguments[0];
      if (!in_place(k) && nodes_[i].computed == never) {
        nodes_[i].computed = events_.size();
        last_read[k] = events_.size();
        events_.push_back({true, i});
      }
    };
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
      if (nodes_[i].used && nodes[i].kind == Node::Kind::operand &&
          copied_first_[nodes[i].arguments[0]])
        need(i);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (!nodes_[i].used || nodes[i].kind != Node::Kind::function || nodes_[i].scalar) continue;
      auto const arity = info_of(nodes[i].function).arity;
      for (std::size_t a = 0; a < arity; ++a) need(nodes[i].arguments[a]);
      for (std::size_t a = 0; a < arity; ++a) {
        auto const argument = nodes[i].arguments[a];
        nodes_[argument].last_use = events_.size();
        if (nodes[argument].kind == Node::Kind::operand && !nodes_[argument].scalar &&
            in_place(nodes[argument].arguments[0]))
          last_read[nodes[argument].arguments[0]] = events_.size();
      }
      nodes_[i].computed = events_.size();
      events_.push_back({false, i});
    }
    for (std::size_t o = 0; o < expression.outputs.size(); ++o) {
      auto const i = expression.outputs[o];
      need(i);
      auto& place = nodes_[i];
      bool direct = nodes[i].kind == Node::Kind::function && !place.scalar &&
                    code_.outputs[o].type == code_.compute && place.direct == never;
      for (std::size_t k = 0; direct && k < request_.operands.size(); ++k)
        direct = !aliases_[k][o] || last_read[k] <= place.computed;
      if (direct)
        place.direct = o;
      else
        place.last_use = never;
    }
    return true;
  }

  /// Steps with registers given out in order and taken back after last uses.
  bool emit() {
    auto const& expression = request_.expression;
    auto const& nodes = expression.nodes;
    std::array<std::size_t, max_registers> busy_until{};
    std::array<bool, max_registers> busy{};
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].kind == Node::Kind::operand && !nodes_[i].scalar &&
          in_place(nodes[i].arguments[0]))
        nodes_[i].slot = static_cast<std::uint8_t>(first_operand_slot + nodes[i].arguments[0]);
    for (std::size_t t = 0; t < events_.size(); ++t) {
      auto& place = nodes_[events_[t].node];
      auto const& node = nodes[events_[t].node];
      Step step;
      if (events_[t].loads) {
        step.operation = load;
        step.arguments[0] = static_cast<std::uint8_t>(node.arguments[0]);
      } else {
        step.operation = operation_of(node);
        for (std::size_t a = 0; a < info_of(node.function).arity; ++a) {
          auto const& argument = nodes_[node.arguments[a]];
          step.arguments[a] = argument.slot;
          if (argument.scalar) step.operation = static_cast<std::uint16_t>(step.operation | 1 << a);
        }
      }
      // A register read for the last time by this step may be its destination.
      for (std::size_t r = 0; r < max_registers; ++r)
        if (busy[r] && busy_until[r] <= t) busy[r] = false;
      if (place.direct != never) {
        place.slot = static_cast<std::uint8_t>(first_output_slot + place.direct);
      } else {
        auto const free = std::find(busy.begin(), busy.end(), false);
        if (free == busy.end()) return false;
        place.slot = static_cast<std::uint8_t>(free - busy.begin());
        *free = true;
        busy_until[place.slot] = place.last_use;
      }
      step.destination = place.slot;
      if (!push(step)) return false;
    }
    for (std::size_t o = 0; o < expression.outputs.size(); ++o) {
      auto const& place = nodes_[expression.outputs[o]];
      if (place.direct == o) continue;
      if (!push({place.scalar ? store_scalar : store,
                 static_cast<std::uint8_t>(o),
                 {place.slot, 0, 0}}))
        return false;
    }
    return true;
  }

  bool push(Step step) {
    if (code_.step_count == max_steps) return false;
    code_.steps[code_.step_count++] = step;
    return true;
  }

  struct Place {
    bool used = false, scalar = false;
    std::uint8_t slot = 0;
    std::size_t computed = never;  ///< event that makes it
    std::size_t last_use = 0;      ///< event that reads it last, `never` for a store at the end
    std::size_t direct = never;    ///< output it is written to at once
  };

  MapRequest const& request_;
  MapCode code_;
  std::vector<Place> nodes_;
  std::vector<Event> events_;
  std::array<std::array<bool, max_outputs>, max_operands> aliases_{};
  std::array<bool, max_operands> copied_first_{};
};

}  // namespace

std::optional<MapCode> assemble(MapRequest const& request) { return Assembler(request).assemble(); }

}  // namespace lbann::kernels
