// Finding the declaration a record belongs to.
#include "runtime/callbacks/callbacks.hpp"

#include "runtime/loading/location.hpp"
#include "schemas/callbacks/list.hpp"

namespace lbann::runtime {

namespace {

template <std::size_t... I>
std::unique_ptr<Observer> find(Declared const& declared, RunView const& run,
                               std::index_sequence<I...>) {
  std::unique_ptr<Observer> observer;
  auto const attempt = [&](auto const& known) {
    if (known) observer = observer_of(*known, run, declared.span);
  };
  (attempt(from_record<std::variant_alternative_t<I, Callback>>(declared.record)), ...);
  return observer;
}

}  // namespace

Result<std::unique_ptr<Observer>> make_observer(Declared const& declared, RunView const& run) {
  auto observer = find(declared, run, std::make_index_sequence<std::variant_size_v<Callback>>{});
  if (observer == nullptr) {
    return Problem{located(run.plan.sources, declared.span,
                           "callback `" + declared.record.type +
                               "` is not one this version knows; compile the experiment again")};
  }
  return observer;
}

}  // namespace lbann::runtime
