// The table of all scalar functions, made from their declarations.
#include "schemas/functions/function.hpp"

#include <array>
#include <utility>

#include "schemas/functions/all.hpp"

namespace lbann {

namespace {

/// Number of arguments: the length of the array `derivative` takes.
template <std::size_t count>
constexpr std::size_t arity_of(Term (*)(std::array<Term, count> const&, Term, std::size_t)) {
  return count;
}

template <class F>
constexpr bool zero_gradient_stays() {
  if constexpr (requires { F::zero_gradient_stays; })
    return F::zero_gradient_stays;
  else
    return false;
}

template <class F, std::size_t... argument>
constexpr FunctionInfo entry(std::index_sequence<argument...>) {
  return {F::name,
          F::summary,
          sizeof...(argument),
          [](Term const* arguments, Term result, std::size_t index) {
            return F::derivative({arguments[argument]...}, result, index);
          },
          [](double const* arguments) { return F::template value<double>(arguments[argument]...); },
          zero_gradient_stays<F>()};
}

#define LBANN_ENTRY(NAME) \
  entry<functions::NAME>(std::make_index_sequence<arity_of(&functions::NAME::derivative)>{}),
constexpr std::array table{LBANN_FUNCTIONS(LBANN_ENTRY)};
#undef LBANN_ENTRY

}  // namespace

FunctionInfo const& info_of(Function function) { return table[static_cast<std::size_t>(function)]; }

std::optional<Function> function_named(std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name) return static_cast<Function>(i);
  return std::nullopt;
}

std::size_t function_count() { return table.size(); }

}  // namespace lbann
