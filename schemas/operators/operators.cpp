// The operators' tables, made from their declarations.
#include "schemas/operators/operators.hpp"

#include <utility>

#include "schemas/operators/formulas.hpp"
#include "schemas/operators/loops.hpp"

namespace lbann {

namespace {

template <class F, std::size_t... index>
void for_each_operator(F const& f, std::index_sequence<index...>) {
  (f.template operator()<std::variant_alternative_t<index, Operator>>(), ...);
}

using Indices = std::make_index_sequence<std::variant_size_v<Operator>>;

}  // namespace

std::vector<OperatorInfo> describe_operators() {
  std::vector<OperatorInfo> infos;
  for_each_operator(
      [&]<class T>() {
        infos.push_back({T::name, T::summary, describe_fields<T>()});
      },
      Indices{});
  return infos;
}

std::vector<std::string_view> operator_formulas() {
  std::vector<std::string_view> formulas;
  for_each_operator([&]<class T>() { formulas.push_back(formula(std::type_identity<T>{})); },
                    Indices{});
  return formulas;
}

std::string_view name_of(Operator const& op) {
  return std::visit([](auto const& o) { return std::remove_cvref_t<decltype(o)>::name; }, op);
}

SixteenBitInputs sixteen_bit_inputs(Operator const& op) {
  return std::visit(
      []<class T>(T const&) {
        if constexpr (requires { T::sixteen_bit_inputs; })
          return T::sixteen_bit_inputs;
        else
          return SixteenBitInputs::widened;
      },
      op);
}

bool in_place(Operator const& op) {
  return std::visit([]<class T>(T const&) { return requires { T::in_place; }; }, op);
}

Result<TensorTypes> infer(Operator const& op, std::span<TensorType const> inputs) {
  return std::visit([&](auto const& o) { return o.infer(inputs); }, op);
}

Loops loops(Operator const& op, Signature const& signature) {
  return std::visit([&](auto const& o) { return o.loops(signature); }, op);
}

void derive_backward(Operator const& op, BackwardContext& context) {
  std::visit([&](auto const& o) { std::remove_cvref_t<decltype(o)>::backward(o, context); }, op);
}

std::int64_t flops(Operator const& op, Signature const& signature, std::int64_t samples) {
  return std::visit([&](auto const& o) { return o.flops(signature, samples); }, op);
}

std::int64_t scratch_bytes(Operator const& op, Signature const& signature, std::int64_t samples,
                           std::int64_t threads) {
  return std::visit([&](auto const& o) { return o.scratch_bytes(signature, samples, threads); },
                    op);
}

Record to_record(Operator const& op) {
  return std::visit([](auto const& o) { return to_record(o); }, op);
}

std::optional<Operator> operator_from(Record const& record) {
  std::optional<Operator> result;
  for_each_operator(
      [&]<class T>() {
        if (record.type != T::name) return;
        if (auto op = from_record<T>(record)) result = std::move(*op);
      },
      Indices{});
  return result;
}

}  // namespace lbann
