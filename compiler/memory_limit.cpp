// Plans with more and more recomputation, until one needs no more than the limit.
#include "compiler/memory_limit.hpp"

#include "schemas/diagnostics/catalogue.hpp"
#include "schemas/reports/fits.hpp"
#include "schemas/vocabulary/bytes_text.hpp"

namespace lbann::compiler {

Compiled compile_within(MemoryLimit const& limit, RunSize const& size, Compiled without,
                        std::function<Compiled(Recompute)> const& compile_with) {
  auto best = std::move(without);
  auto level = Recompute::none;
  std::int64_t needed = 0;
  while (best.plan) {
    auto const found = needed_memory(*best.plan, size);
    if (!found) {
      best.impossible_size = found.problem();
      return best;
    }
    needed = found.value();
    if (needed <= limit.bytes || !limit.chooses || level == Recompute::full) break;
    level = static_cast<Recompute>(static_cast<int>(level) + 1);
    best = compile_with(level);
  }
  if (!best.plan) return best;
  if (needed > limit.bytes) {
    auto const tried = fit(*best.plan, size, limit.bytes);
    best.report.add(diagnostics::over_memory_limit, limit.span,
                    {bytes_text(needed), bytes_text(limit.bytes),
                     tried ? to_words(tried.value().edits) : std::string()});
    best.plan.reset();
  } else if (limit.chooses) {
    best.report.add(diagnostics::recompute_chosen, limit.span,
                    {std::string(enum_names<Recompute>[static_cast<std::size_t>(level)]),
                     bytes_text(needed), bytes_text(limit.bytes)});
  }
  return best;
}

}  // namespace lbann::compiler
