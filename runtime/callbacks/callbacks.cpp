// Finding the declaration a record belongs to.
#include "runtime/callbacks/callbacks.hpp"

#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

template <std::size_t... I>
std::unique_ptr<Observer> find(Declared const& declared, RunView const& run,
                               std::index_sequence<I...>) {
  std::unique_ptr<Observer> observer;
  auto const attempt = [&]<class T>(T const*) {
    if (auto const known = from_record<T>(declared.record))
      observer = observer_of(*known, run, declared.span);
  };
  (attempt(static_cast<std::variant_alternative_t<I, Callback> const*>(nullptr)), ...);
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
