// Every layer behind layers whose weights are split over ranks, and with sharded weights or
// updates: its example compiles, distributions are verified, and so is what each pass leaves on
// every rank of some meshes. Collectives that are missing, doubled or go along other axes are
// found.
#include <doctest/doctest.h>

#include "schemas/program/distribution.hpp"
#include "schemas/specialization/pipeline.hpp"
#include "tests/compiler/layers/split_examples.hpp"

namespace lbann::compiler {

namespace {

Declarations const& all_declarations() {
  static Declarations const declarations;
  return declarations;
}

/// None of what learns nothing of its inputs, or takes indices: that is no end of an objective.
std::optional<Plan> plan_of(LayerType const& type, std::string const& text) {
  CompileOptions options;
  options.name = std::string(type.declaration.name) + ".yaml";
  options.text = text;
  auto compiled = compile(options, all_declarations());
  CHECK_MESSAGE(!compiled.internal_error, compiled.internal_error.value_or(Problem{}).message);
  return std::move(compiled.plan);
}

/// Instructions in their order, with what they write, and messages: what must be the same on all
/// ranks.
std::string order_of(SpecializedProgram const& program) {
  auto text = std::to_string(message_digest(program));
  for (auto const& entry : program.entries) {
    text += "\n" + entry.name;
    for (auto const& instruction : entry.instructions) {
      text += " " + std::string(name_of(instruction.op));
      for (auto const id : instruction.outputs) text += "," + std::to_string(id.index());
      if (instruction.panel) text += "/" + std::to_string(instruction.panel->index);
    }
    for (auto const& message : entry.messages)
      text += " " + std::to_string(message.posted) + "-" + std::to_string(message.needed);
  }
  return text;
}

/// Number of examples that compile and are sound on every rank of some meshes, with panels of 1 or
/// 2 samples and without, in the same order on all ranks.
std::size_t check_examples(std::string (*experiment)(LayerType const&)) {
  std::size_t count = 0;
  for (auto const* type : layers_with_examples(all_declarations())) {
    auto const text = experiment(*type);
    CAPTURE(text);
    auto plan = plan_of(*type, text);
    if (!plan) continue;
    plan->hydrogen_block_size = static_cast<std::int64_t>(count % 3);
    ++count;
    for (auto const& mesh : {std::vector<MeshAxis>{{"data", 1}, {"rows", 2}, {"columns", 2}},
                             {{"data", 2}, {"rows", 1}, {"columns", 3}}}) {
      Placement placement;
      placement.mesh = mesh;
      placement.mini_batch = 5;
      auto const ranks = Mesh(placement).ranks();
      std::optional<std::string> order;
      for (placement.rank = 0; placement.rank < ranks; ++placement.rank) {
        auto const dump = dump_after("place", *plan, placement);
        REQUIRE_MESSAGE(dump.good(), dump.problem().message);
        REQUIRE_MESSAGE(!dump.value().fault, dump.value().fault.value_or(""));
        auto const program = specialize(*plan, placement);
        REQUIRE(program.good());
        if (!order) order = order_of(program.value());
        CHECK(order_of(program.value()) == *order);
      }
    }
  }
  return count;
}

template <class Op>
auto* axes_of(Op& op) {
  using Axes = std::conditional_t<std::is_const_v<Op>, std::vector<std::string> const,
                                  std::vector<std::string>>;
  return std::visit(
      [](auto& collective) -> Axes* {
        if constexpr (requires { collective.mesh_axes; }) return &collective.mesh_axes;
        return nullptr;
      },
      op);
}

/// `entry` without its instruction `index`: what it takes, which is written by another instruction
/// or given, stands for what it gives.
void drop(Program& program, EntryPoint& entry, std::size_t index) {
  auto const from = entry.instructions[index].inputs[0], to = entry.instructions[index].outputs[0];
  entry.instructions.erase(entry.instructions.begin() + static_cast<std::ptrdiff_t>(index));
  auto const role = program[from].role;
  bool const is_given = role == TensorRole::input || is_state(role);
  for (auto& instruction : entry.instructions) {
    std::ranges::replace(instruction.inputs, is_given ? to : from, is_given ? from : to);
    if (!is_given) std::ranges::replace(instruction.outputs, from, to);
  }
}

/// Whether a tensor is made of numbers that all ranks have: any part is right.
bool is_made_anywhere(Program const& program, EntryPoint const& entry, TensorId id) {
  auto const is_number = [&](TensorId input) {
    auto const& shape = program[input].type.shape;
    return !shape.has_batch() && shape.elements(1) == 1;
  };
  return std::ranges::any_of(entry.instructions, [&](Instruction const& instruction) {
    return std::ranges::count(instruction.outputs, id) > 0 && axes_of(instruction.op) == nullptr &&
           std::ranges::all_of(instruction.inputs, is_number);
  });
}

void repeat(EntryPoint& entry, std::size_t index) {
  auto again = entry.instructions[index];
  again.inputs = again.outputs;
  entry.instructions.insert(entry.instructions.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                            std::move(again));
}

/// Number of mutated collectives of a plan, all of which the verifier has to refuse.
std::size_t check_mutations(Plan const& plan) {
  std::size_t count = 0;
  auto const& entries = plan.program.entry_points;
  for (std::size_t e = 0; e < entries.size(); ++e)
    for (std::size_t i = 0; i < entries[e].instructions.size(); ++i) {
      auto const& collective = entries[e].instructions[i];
      auto op = collective.op;
      auto const* const axes = axes_of(op);
      if (axes == nullptr) continue;
      auto const refused = [&](auto mutate, std::string const& how) {
        auto program = plan.program;
        mutate(program, program.entry_points[e]);
        ++count;
        auto const fault = verify_distribution(program);
        CHECK_MESSAGE(fault, how, ": ", entries[e].name, ": ", to_text(plan.program, collective));
      };
      if (!is_made_anywhere(plan.program, entries[e], collective.inputs[0]))
        refused([&](Program& program, EntryPoint& entry) { drop(program, entry, i); }, "dropped");
      refused([&](Program&, EntryPoint& entry) { repeat(entry, i); }, "doubled");
      for (AxisSet set = 1; set <= (data_axis | rows_axis | columns_axis); ++set)
        if (auto const other = MeshAxes().names_of(set); other != *axes)
          refused([&](Program&, EntryPoint& entry) { *axes_of(entry.instructions[i].op) = other; },
                  "along " + std::to_string(set));
    }
  return count;
}

}  // namespace

TEST_CASE("every layer works behind split layers, on every rank of a mesh") {
  CHECK(check_examples(split_example) > 100);
}

TEST_CASE("every layer's weights can be sharded") { CHECK(check_examples(sharded_example) > 100); }

TEST_CASE("updates of every layer's weights can be sharded") {
  CHECK(check_examples(updated_example) > 100);
}

TEST_CASE("collectives that are missing, doubled or along other axes are refused") {
  std::size_t count = 0;
  for (auto const experiment : {split_example, sharded_example, updated_example})
    for (auto const* type : layers_with_examples(all_declarations())) {
      auto const text = experiment(*type);
      CAPTURE(text);
      if (auto const plan = plan_of(*type, text)) count += check_mutations(*plan);
    }
  CHECK(count > 1000);
  MESSAGE(count << " mutations");
}

}  // namespace lbann::compiler
