// Finds the type of callback of a record in the plan.
#include "runtime/callbacks/make_callback.hpp"

#include <algorithm>

#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

template <class... Ts>
bool add(Declared const& declared, CallbackContext const& run, Callbacks& callbacks,
         std::variant<Ts...> const*) {
  bool found = false;
  auto const attempt = [&]<class T>(T const*) {
    auto const known = from_record<T>(declared.record);
    if (!known) return;
    found = true;
    add_if_needed(callback_of(*known, run, declared.span),
                  "callback `" + declared.record.type + "`", run, callbacks);
  };
  (attempt(static_cast<Ts const*>(nullptr)), ...);
  return found;
}

template <class... Ts>
bool compares_trainers(std::string_view type, std::variant<Ts...> const*) {
  auto const compares = []<class T>(T const*) {
    if constexpr (requires { T::compares_trainers; }) return T::compares_trainers;
    return false;
  };
  return ((type == Ts::name && compares(static_cast<Ts const*>(nullptr))) || ...);
}

}  // namespace

std::int64_t count_comparing_trainers(Plan const& plan) {
  return std::ranges::count_if(plan.callbacks, [](Declared const& callback) {
    return compares_trainers(callback.record.type, static_cast<DeclaredCallback const*>(nullptr));
  });
}

Result<Success> add_declared(Declared const& declared, CallbackContext const& run,
                             Callbacks& callbacks) {
  if (add(declared, run, callbacks, static_cast<DeclaredCallback const*>(nullptr)))
    return Success{};
  return Problem{located(run.plan.sources, declared.span,
                         "callback `" + declared.record.type +
                             "` is not one this version knows; compile the experiment again")};
}

void add_load(std::vector<std::filesystem::path> const& paths,
              std::vector<std::string> const& renames, bool partial, CallbackContext const& run,
              Callbacks& callbacks) {
  callbacks::load_model load;
  load.partial = partial;
  load.rename = renames;
  for (auto const& path : paths) load.dirs.push_back(path.string());
  add_if_needed(callback_of(load, run, Span{}), "--load-model", run, callbacks);
}

void add_save(std::filesystem::path const& folder, CallbackContext const& run,
              Callbacks& callbacks) {
  callbacks::save_model save;
  save.dir = std::filesystem::absolute(folder).string();
  add_if_needed(callback_of(save, run, Span{}), "--save-model", run, callbacks);
}

}  // namespace lbann::runtime
