// From a plan to one rank's program: what the passes have found, put together.
#include "schemas/specialization/specialize.hpp"

#include <algorithm>

#include "schemas/plan/digest.hpp"
#include "schemas/specialization/pipeline.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

SpecializedEntry const* SpecializedProgram::entry(std::string_view name) const {
  auto const found = std::ranges::find(entries, name, &SpecializedEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

Rows own_rows(std::int64_t rows, std::int64_t ranks, std::int64_t rank) {
  constexpr std::int64_t block = 16;
  auto const blocks = (rows + block - 1) / block;
  auto const first = rank * (blocks / ranks) + std::min(rank, blocks % ranks);
  auto const last = first + local_samples(blocks, ranks, rank);
  return {std::min(first * block, rows), std::min(last * block, rows)};
}

namespace {

/// `type` of an operand of the whole product, for the rows of one rank.
TensorType part_of(TensorType type, GatheredProduct const& product, Rows const& own) {
  Shape const whole{Extent{product.rows}, Extent{product.columns}};
  if (type.shape == whole) type.shape.extents[0] = {own.count()};
  return type;
}

}  // namespace

TensorTypes SpecializedProgram::part_inputs(SpecializedEntry const& entry,
                                            GatheredProduct const& product,
                                            std::int64_t samples) const {
  auto const own = own_rows(product.rows, ranks, rank);
  auto const& inputs = entry.instructions[product.instruction].inputs;
  auto const type = tensors[inputs[0].index()].type.type;
  TensorTypes types = {{type, Shape{Extent{samples}, Extent{own.count()}}},
                       {type, Shape{Extent{samples}, Extent{product.columns}}}};
  for (std::size_t i = 2; i < inputs.size(); ++i)
    types.push_back(part_of(tensors[inputs[i].index()].type, product, own));
  return types;
}

TensorTypes SpecializedProgram::part_outputs(SpecializedEntry const& entry,
                                             GatheredProduct const& product) const {
  auto const own = own_rows(product.rows, ranks, rank);
  TensorTypes types;
  for (auto id : entry.instructions[product.instruction].outputs)
    types.push_back(part_of(tensors[id.index()].type, product, own));
  return types;
}

Result<SpecializedProgram> specialize(Plan const& plan, Placement const& placement) {
  Specialization specialization(plan, placement);
  if (auto done = run_passes(specialization); !done) return done.problem();

  SpecializedProgram result;
  result.tensors = std::move(specialization.program.tensors);
  result.slots = std::move(specialization.slots);
  result.arena_bytes = specialization.arena_bytes;
  result.largest_batch = specialization.largest_batch;
  result.mini_batch = placement.mini_batch;
  result.rank = placement.rank;
  result.ranks = data_ranks(placement);
  result.first_range = specialization.first_range;
  result.live_bytes = specialization.live_bytes;
  for (std::size_t i = 0; i < specialization.program.entry_points.size(); ++i) {
    auto& entry = specialization.program.entry_points[i];
    result.entries.push_back({.name = std::move(entry.name),
                              .instructions = std::move(entry.instructions),
                              .scratch = std::move(specialization.scratch[i]),
                              .messages = std::move(specialization.messages[i]),
                              .products = std::move(specialization.products[i]),
                              .status = specialization.status[i]});
  }
  return result;
}

std::uint64_t message_digest(SpecializedProgram const& program) {
  std::string text;
  for (auto const& entry : program.entries)
    for (auto const& message : entry.messages) {
      text += entry.name;
      if (message.product != Message::sum) {
        auto const& product = entry.products[static_cast<std::size_t>(message.product)];
        text += " product " + std::to_string(product.rows) + ' ' + std::to_string(product.columns);
      } else {
        auto const& sum = program.tensors[entry.instructions[message.posted].inputs[0].index()];
        text += ' ' + std::string(name_of(sum.type.type)) + ' ' +
                std::to_string(sum.type.shape.elements(0));
      }
      text += '\n';
    }
  return digest({reinterpret_cast<std::uint8_t const*>(text.data()), text.size()});
}

}  // namespace lbann
