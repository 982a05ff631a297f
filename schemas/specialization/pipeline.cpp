// The ordered list of the passes of specialization.
#include "schemas/specialization/pipeline.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

#include "schemas/program/fuse.hpp"
#include "schemas/specialization/passes.hpp"

namespace lbann {

namespace {

template <void (*pass)(Specialization&)>
Result<Success> always(Specialization& specialization) {
  pass(specialization);
  return Success{};
}

void fuse_again(Specialization& specialization) { fuse(specialization.program); }

constexpr std::array<SpecializationPass, 17> passes = {{
    {"bind", "Bind the mesh and the batch to the sizes of this rank.", bind},
    {"drop_collectives", "Remove collectives over mesh axes of size one.",
     always<drop_collectives>},
    {"gather_factors",
     "Gather the factors of large gradients, instead of summing these, where ranks share memory.",
     always<gather_factors>},
    {"mark_gradients", "Make gradients of the sums over ranks that update weights.",
     always<mark_gradients>},
    {"share_gradients",
     "Sum other gradients in shared memory, and update a part of their weights on each rank.",
     always<share_gradients>},
    {"fuse", "Join maps again, where collectives are gone.", always<fuse_again>},
    {"reduce_in_place", "Sum over ranks in the memory of the parts; add the status words.",
     always<reduce_in_place>},
    {"layout", "Let reshapes share memory with their inputs, or copy.", always<layout>},
    {"bucket", "Place weights, gradients and moments; cut gradients into buckets.", always<bucket>},
    {"merge_updates", "Join maps that differ only in the weights they work on.",
     always<merge_updates>},
    {"order", "Move updates early, and what needs the outcome of a message late.", always<order>},
    {"prefetch", "Gather weights while the layer before computes.", always<prefetch>},
    {"join_messages", "Sum neighbours of a bucket in one message.", always<join_messages>},
    {"split_updates", "Sum and update this rank's part of what ranks share.",
     always<split_updates>},
    {"panels", "Cut products with split weights into panels of samples.", panels},
    {"localise", "Turn shapes into those of this rank's parts.", always<localise>},
    {"place", "Find when messages are needed; place activations and scratch by liveness.", place},
}};

std::optional<std::string> fault_after(std::size_t count, Specialization const& specialization) {
  std::array<std::string_view, passes.size()> established;
  for (std::size_t i = 0; i < count; ++i) established[i] = passes[i].name;
  auto const fault = verify(specialization, std::span(established).first(count));
  if (!fault) return std::nullopt;
  return "internal fault: pass `" + std::string(passes[count - 1].name) + "`: " + *fault;
}

}  // namespace

std::span<SpecializationPass const> specialization_passes() { return passes; }

Result<Success> run_passes(
    Specialization& specialization, std::string_view last,
    std::function<void(SpecializationPass const&, Specialization const&)> const& after) {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (auto done = passes[i].run(specialization); !done) return done;
#ifndef NDEBUG
    if (auto const fault = fault_after(i + 1, specialization)) {
      std::fprintf(stderr, "%s\n", fault->c_str());
      std::abort();
    }
#endif
    if (after) after(passes[i], specialization);
    if (passes[i].name == last) break;
  }
  return Success{};
}

Result<SpecializationDump> dump_after(std::string_view last, Plan const& plan,
                                      Placement const& placement) {
  Specialization specialization(plan, placement);
  SpecializationDump dump;
  std::size_t count = 0;
  auto const done = run_passes(specialization, last, [&](auto const&, auto const& now) {
    ++count;
    if (dump.fault) return;
    dump.fault = fault_after(count, now);
    if (dump.fault) dump.text = to_text(now);
  });
  if (!done) return done.problem();
  if (!dump.fault) dump.text = to_text(specialization);
  return dump;
}

}  // namespace lbann
