// Distributions that follow from loops.
#include "schemas/program/distribution.hpp"

#include <algorithm>

#include "schemas/expression/function_info.hpp"
#include "schemas/expression/function_list.hpp"
#include "schemas/program/join.hpp"

namespace lbann {

Result<AxisSet> MeshAxes::set_of(std::span<std::string const> names) {
  AxisSet set = 0;
  for (auto const& name : names) {
    auto const number = static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
    if (number == most) return Problem{"more than " + std::to_string(most) + " mesh axes"};
    if (number == names_.size()) names_.push_back(name);
    set |= AxisSet{1} << number;
  }
  return set;
}

std::vector<std::string> MeshAxes::names_of(AxisSet set) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if ((set >> i & 1) != 0) names.push_back(names_[i]);
  return names;
}

Result<AxisDistribution> in_sets(Distribution const& distribution, MeshAxes& mesh) {
  AxisDistribution sets;
  auto const partial = mesh.set_of(distribution.partial);
  if (!partial) return partial.problem();
  sets.partial = partial.value();
  for (std::size_t d = 0; d < distribution.split.size(); ++d) {
    auto const axes = mesh.set_of(distribution.split[d]);
    if (!axes) return axes.problem();
    sets.split[d] = axes.value();
  }
  return sets;
}

Distribution in_names(AxisDistribution const& distribution, std::size_t rank,
                      MeshAxes const& mesh) {
  Distribution names;
  names.partial = mesh.names_of(distribution.partial);
  if (distribution.axes() != 0)
    for (std::size_t d = 0; d < rank; ++d)
      names.split.push_back(mesh.names_of(distribution.split[d]));
  return names;
}

AxisDistribution batch_distribution(Shape const& shape, AxisSet axes) {
  AxisDistribution distribution;
  for (std::size_t i = 0; i < shape.rank(); ++i)
    if (shape.extents[i].batch) distribution.split[i] = axes;
  return distribution;
}

AxisSet batch_axes(Program const& program) {
  bool const split = std::ranges::any_of(program.tensors, [](Tensor const& tensor) {
    bool const kept = is_state(tensor.role) || tensor.role == TensorRole::gradient;
    return kept && !tensor.distribution.split.empty();
  });
  return split ? data_axis | rows_axis | columns_axis : data_axis;
}

AxisSet moving_axes(AxisSet from, AxisSet to) {
  // Cuts that come first on both sides are the same.
  auto const differing = from ^ to;
  auto const first = differing & (~differing + 1);
  auto const alike = differing == 0 ? ~AxisSet{0} : first - 1;
  return (from | to) & ~alike;
}

AxisSet moving_axes(AxisDistribution const& from, AxisDistribution const& to) {
  AxisSet moving = 0;
  for (std::size_t d = 0; d < from.split.size(); ++d)
    moving |= moving_axes(from.split[d], to.split[d]);
  return moving;
}

bool can_split(Loops const& loops, LoopDimension const& dimension) {
  auto const& loop = loops.loops[dimension.loop];
  return loop.kind != LoopKind::whole && !dimension.window &&
         (loop.extent.batch || dimension.granule == 1);
}

namespace {

/// How a value depends on some of an operator's inputs: not at all, as a sum of multiples (so that
/// partial sums of these inputs give partial sums of the value), or otherwise.
enum class Dependence { none, linear, other };

/// That of a function of `x`, at least one of whose arguments is not `none`.
Dependence dependence_of(Function function, std::span<Dependence const> x) {
  using enum Dependence;
  switch (function) {
    case Function::negative:
      return x[0];
    case Function::add:
    case Function::subtract:
      return x[0] == x[1] ? x[0] : other;
    case Function::multiply:
      return x[0] == none || x[1] == none ? std::max(x[0], x[1]) : other;
    case Function::divide:
      return x[1] == none ? x[0] : other;
    case Function::select:
      return x[0] == none && x[1] == x[2] ? x[1] : other;
    default:
      return other;
  }
}

using Dependences = std::vector<Dependence>;

bool is_zero(Node const& node) { return node.kind == Node::Kind::constant && node.constant == 0; }

/// That of each output of `expression` on the marked operands.
Dependences dependences_of(Expression const& expression, std::vector<bool> const& marked) {
  Dependences nodes;
  nodes.reserve(expression.nodes.size());
  std::vector<Dependence> arguments;
  for (auto const& node : expression.nodes) {
    auto dependence = Dependence::none;
    if (node.kind == Node::Kind::operand && marked[node.arguments[0]])
      dependence = Dependence::linear;
    if (node.kind == Node::Kind::function) {
      arguments.clear();
      for (std::size_t i = 0; i < info_of(node.function).arity; ++i)
        arguments.push_back(nodes[node.arguments[i]]);
      // Zero is a partial sum of anything.
      if (node.function == Function::select)
        for (auto const& [branch, other] : {std::pair<std::size_t, std::size_t>(1, 2), {2, 1}})
          if (is_zero(expression.nodes[node.arguments[branch]]))
            arguments[branch] = arguments[other];
      if (std::ranges::any_of(arguments, [](auto d) { return d != Dependence::none; }))
        dependence = dependence_of(node.function, arguments);
    }
    nodes.push_back(dependence);
  }
  Dependences outputs;
  for (auto output : expression.outputs) outputs.push_back(nodes[output]);
  return outputs;
}

/// Dependence of each of `outputs` outputs on the marked inputs, of which there is at least one.
/// An operator of which nothing is said needs whole inputs.
template <class Other>
Dependences dependences_of(Other const&, std::vector<bool> const&, std::size_t outputs) {
  return Dependences(outputs, Dependence::other);
}

Dependences dependences_of(operators::map const& op, std::vector<bool> const& marked, std::size_t) {
  auto outputs = dependences_of(op.expression, marked);
  // A sum is rounded to 16 bits when it is whole.
  for (std::size_t o = 0; o < outputs.size(); ++o)
    if (outputs[o] == Dependence::linear && is_sixteen_bit(op.types[o]))
      outputs[o] = Dependence::other;
  return outputs;
}

Dependences dependences_of(operators::reduce const& op, std::vector<bool> const& marked,
                           std::size_t outputs) {
  auto const elements = dependences_of(op.expression, marked);
  bool const linear = op.mode == operators::ReduceMode::sum &&
                      std::ranges::all_of(elements, [](auto d) { return d == Dependence::linear; });
  return Dependences(outputs, linear ? Dependence::linear : Dependence::other);
}

Dependences dependences_of(operators::matmul const& op, std::vector<bool> const& marked,
                           std::size_t outputs) {
  bool const linear = op.epilogue.empty() && marked[0] != marked[1];
  return Dependences(outputs, linear ? Dependence::linear : Dependence::other);
}

Dependences dependences_of(operators::reshape const&, std::vector<bool> const&,
                           std::size_t outputs) {
  return Dependences(outputs, Dependence::linear);
}

Dependences dependences_of(operators::permute const&, std::vector<bool> const&,
                           std::size_t outputs) {
  return Dependences(outputs, Dependence::linear);
}

Dependences dependences_of(operators::slice const&, std::vector<bool> const&, std::size_t outputs) {
  return Dependences(outputs, Dependence::linear);
}

Dependences dependences_of(operators::concatenate const&, std::vector<bool> const& marked,
                           std::size_t outputs) {
  bool const all = std::ranges::find(marked, false) == marked.end();
  return Dependences(outputs, all ? Dependence::linear : Dependence::other);
}

/// The derivation for one instruction.
class Derivation {
 public:
  Derivation(Operator const& op, Signature const& signature,
             std::span<AxisDistribution const> inputs, std::span<AxisDistribution const> told,
             AxisSet batch, MeshAxes& mesh)
      : op_(op),
        inputs_(inputs),
        told_(told),
        batch_(batch),
        mesh_(mesh),
        loops_(loops(op, signature)),
        outputs_(signature.outputs.size()) {}

  Result<std::vector<AxisDistribution>> run() {
    Fault fault;
    if (auto const* gather = std::get_if<operators::all_gather>(&op_)) {
      fault = exchange(gather->mesh_axes);
    } else if (auto const* scatter = std::get_if<operators::reduce_scatter>(&op_)) {
      fault = exchange(*scatter);
    } else if (auto const* exchanged = std::get_if<operators::all_to_all>(&op_)) {
      fault = exchange(exchanged->mesh_axes, told_[0]);
    } else {
      fault = find_axes();
      if (!fault) split_outputs();
      if (!fault) fault = reduce_partial();
    }
    if (fault) return Problem{std::string(name_of(op_)) + " of parts: " + *fault};
    return std::move(outputs_);
  }

 private:
  using Fault = std::optional<std::string>;

  /// Parts of one dimension or of several put together.
  Fault exchange(std::vector<std::string> const& names) {
    auto to = inputs_[0];
    auto const axes = mesh_.set_of(names);
    if (!axes) return axes.problem().message;
    if ((axes.value() & ~to.axes()) != 0) return "its input is not split over these axes";
    for (auto& set : to.split) set &= ~axes.value();
    return exchange(mesh_.names_of(moving_axes(inputs_[0], to)), to);
  }

  Fault exchange(operators::reduce_scatter const& scatter) {
    auto const axes = mesh_.set_of(scatter.mesh_axes);
    if (!axes) return axes.problem().message;
    auto& output = outputs_[0] = inputs_[0];
    if ((axes.value() & ~output.partial) != 0 || output.unmerged != 0)
      return "its input is no partial sum";
    output.partial &= ~axes.value();
    output.split[static_cast<std::size_t>(scatter.dimension)] |= axes.value();
    return std::nullopt;
  }

  Fault exchange(std::vector<std::string> const& names, AxisDistribution const& to) {
    auto const& from = inputs_[0];
    auto const axes = mesh_.set_of(names);
    if (!axes) return axes.problem().message;
    if (from.partial != 0 || from.unmerged != 0) return "its input is a partial sum";
    AxisSet all = 0;
    for (auto const set : to.split) {
      if ((all & set) != 0) return "one mesh axis splits two dimensions";
      all |= set;
    }
    if (axes.value() != moving_axes(from, to)) return "it exchanges along other axes than differ";
    outputs_[0].split = to.split;
    return std::nullopt;
  }

  /// The axes that each loop is split over, as inputs say, and outputs of what inputs do not have.
  Fault find_axes() {
    axes_.assign(loops_.loops.size(), 0);
    std::vector<bool> known(loops_.loops.size(), false);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      auto const dimensions = loops_.input(i);
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        auto const loop = dimensions[d].loop;
        auto const axes = inputs_[i].split[d];
        if (known[loop] && axes_[loop] != axes) return "its inputs are split differently";
        if (axes != 0 && dimensions[d].window) return "a dimension under a window is split";
        if (axes != 0 && !can_split(loops_, dimensions[d]))
          return "a dimension is split that must be whole";
        known[loop] = true;
        axes_[loop] = axes;
      }
    }
    for (std::size_t o = 0; o < told_.size(); ++o) {
      auto const dimensions = loops_.output(o);
      for (std::size_t d = 0; d < dimensions.size(); ++d) {
        auto const loop = dimensions[d].loop;
        if (known[loop] || !can_split(loops_, dimensions[d])) continue;
        known[loop] = true;
        axes_[loop] = told_[o].split[d];
      }
    }
    for (std::size_t l = 0; l < axes_.size(); ++l) {
      // What sums over samples of nothing sums over a rank's own samples.
      if (!known[l] && loops_.loops[l].extent.batch) axes_[l] = batch_;
      if (axes_[l] != 0 && loops_.loops[l].kind == LoopKind::whole)
        return "a dimension is split that must be whole";
      if ((all_axes_ & axes_[l]) != 0) return "one mesh axis splits two dimensions";
      all_axes_ |= axes_[l];
    }
    return std::nullopt;
  }

  void split_outputs() {
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      auto& output = outputs_[o];
      AxisSet present = 0;
      auto const dimensions = loops_.output(o);
      for (std::size_t d = 0; d < dimensions.size(); ++d)
        present |= output.split[d] = axes_[dimensions[d].loop];
      for (std::size_t l = 0; l < axes_.size(); ++l) {
        auto const kind = loops_.loops[l].kind;
        if (kind == LoopKind::summed) output.partial |= axes_[l] & ~present;
        if (kind == LoopKind::merged) output.unmerged |= axes_[l] & ~present;
      }
    }
  }

  Dependences dependences(std::vector<bool> const& marked) const {
    return std::visit([&](auto const& op) { return dependences_of(op, marked, outputs_.size()); },
                      op_);
  }

  /// What becomes of inputs that are partial sums, or not yet merged.
  Fault reduce_partial() {
    AxisSet partial = 0, unmerged = 0;
    std::vector<bool> is_partial, is_unmerged;
    for (auto const& input : inputs_) {
      if (partial != 0 && input.partial != 0 && input.partial != partial)
        return "its inputs are partial sums over different axes";
      is_partial.push_back(input.partial != 0);
      is_unmerged.push_back(input.unmerged != 0);
      partial |= input.partial;
      unmerged |= input.unmerged;
    }
    if (auto const* sum = std::get_if<operators::all_reduce>(&op_)) {
      auto const axes = mesh_.set_of(sum->mesh_axes);
      if (!axes) return axes.problem().message;
      if ((axes.value() & ~partial) != 0 || unmerged != 0) return "its input is no partial sum";
      outputs_[0].partial = partial & ~axes.value();
      return std::nullopt;
    }
    if (unmerged != 0) {
      auto const depend = dependences(is_unmerged);
      for (std::size_t o = 0; o < outputs_.size(); ++o)
        if (depend[o] != Dependence::none) outputs_[o].unmerged |= unmerged;
    }
    auto const* epilogue = epilogue_of(op_);
    if (epilogue != nullptr && !epilogue->empty()) return reduce_epilogue(*epilogue);
    if (partial == 0) return std::nullopt;
    // A rank's partial sum meets the parts of its own alone.
    if ((partial & all_axes_) != 0) return "a partial sum meets data split over the same axis";
    auto const depend = dependences(is_partial);
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      // The formula that merges is trusted to know what it does with partial sums.
      if (outputs_[o].unmerged != 0 || depend[o] == Dependence::none) continue;
      if (depend[o] == Dependence::other) return "it does not depend linearly on a partial sum";
      outputs_[o].partial |= partial;
    }
    return std::nullopt;
  }

  /// An epilogue is a map of the product, which split_outputs has told of, and of the inputs behind
  /// the two factors.
  Fault reduce_epilogue(Expression const& epilogue) {
    auto partial = outputs_[0].partial;
    std::vector<bool> marked{partial != 0};
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      auto const own = inputs_[i].partial;
      if (own != 0 && i < 2) return "a factor of a product with an epilogue is a partial sum";
      if (own != 0 && partial != 0 && own != partial)
        return "its operands are partial sums over different axes";
      partial |= own;
      if (i >= 2) marked.push_back(own != 0);
    }
    for (auto const axes : outputs_[0].split)
      if ((axes & partial) != 0) return "a partial sum meets data split over the same axis";
    auto const depend = dependences_of(epilogue, marked);
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      outputs_[o].partial = 0;
      if (outputs_[o].unmerged != 0 || depend[o] == Dependence::none) continue;
      if (depend[o] == Dependence::other) return "its epilogue does not depend linearly on a sum";
      outputs_[o].partial = partial;
    }
    return std::nullopt;
  }

  Operator const& op_;
  std::span<AxisDistribution const> inputs_;
  std::span<AxisDistribution const> told_;  ///< what outputs are said to be
  AxisSet batch_;
  MeshAxes& mesh_;
  Loops loops_;
  std::vector<AxisDistribution> outputs_;
  std::vector<AxisSet> axes_;  ///< that split each loop
  AxisSet all_axes_ = 0;       ///< that split any
};

}  // namespace

Result<std::vector<AxisDistribution>> derive_distribution(Operator const& op,
                                                          Signature const& signature,
                                                          std::span<AxisDistribution const> inputs,
                                                          std::span<AxisDistribution const> outputs,
                                                          AxisSet batch, MeshAxes& mesh) {
  return Derivation(op, signature, inputs, outputs, batch, mesh).run();
}

}  // namespace lbann
