// Checks outputs in host memory.
#include "runtime/observation/finite_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

/// Number of the first entry that is not finite, or -1.
template <class T>
std::int64_t first_not_finite(kernels::View const& view) {
  auto const* const values = view.as<T>();
  auto const count = view.elements();
  constexpr std::int64_t block = 4096;
  for (std::int64_t begin = 0; begin < count; begin += block) {
    auto const end = std::min(count, begin + block);
    int broken = 0;  // without a branch, so that the loop is vectorised
    for (auto i = begin; i < end; ++i)
      broken |= static_cast<int>(!(std::abs(values[i]) <= std::numeric_limits<T>::max()));
    if (broken == 0) continue;
    for (auto i = begin; i < end; ++i)
      if (!std::isfinite(values[i])) return i;
  }
  return -1;
}

std::int64_t first_not_finite(kernels::View const& view) {
  if (view.data == nullptr) return -1;
  if (view.type == DataType::f32) return first_not_finite<float>(view);
  if (view.type == DataType::f64) return first_not_finite<double>(view);
  return -1;  // integers
}

double value_of(kernels::View const& view, std::int64_t i) {
  return view.type == DataType::f32 ? static_cast<double>(view.as<float>()[i])
                                    : view.as<double>()[i];
}

std::int64_t first_nan(kernels::View const& view, std::int64_t at) {
  for (auto i = at; i < view.elements(); ++i)
    if (std::isnan(value_of(view, i))) return i;
  return -1;
}

bool is_real(kernels::View const& view) {
  return view.type == DataType::f32 || view.type == DataType::f64;
}

std::string value_at(kernels::View const& view, std::int64_t i) {
  auto const value = value_of(view, i);
  return std::isnan(value) ? "not a number" : value > 0 ? "infinite" : "minus infinite";
}

/// Whether an output was written over an input.
bool is_overwritten(BoundEntry const& entry, std::size_t index, kernels::View const& input) {
  return std::ranges::any_of(entry.written[index],
                             [&](auto const& view) { return view.data == input.data; });
}

/// What numbers usually are not finite for. `sees_all`: what they were computed from lies between
/// `least` and `most`, and is no sum of products or other layer's value that is not known here.
std::string usual_cause(bool is_nan, bool sees_all, double least, double most) {
  constexpr double large = 80;  // exp(89) is more than an f32 holds
  if (!sees_all)
    return is_nan
               ? "a logarithm or a root of a number below 0, or 0 times infinity?"
               : "a logarithm of 0, a division by 0, an exponential or a product of large numbers?";
  if (is_nan && least < 0) return "a logarithm or a root of a number below 0 is not a number";
  if (least <= 0 && most >= 0) return "a logarithm of 0 and a division by 0 are infinite";
  if (std::max(-least, most) > large)
    return "an exponential of a large number is more than its type holds";
  return {};
}

/// The layer, weights or data field that a tensor of an instruction comes from; empty if none.
std::string source_of(Plan const& plan, std::vector<Instruction> const& instructions,
                      std::size_t index, TensorId id) {
  for (auto i = index; i-- > 0;) {
    auto const& before = instructions[i];
    if (std::ranges::find(before.outputs, id) == before.outputs.end()) continue;
    return std::holds_alternative<operators::reshape>(before.op)
               ? source_of(plan, instructions, i, before.inputs[0])
               : before.origin.name;
  }
  for (auto const& source : plan.data)
    for (auto const& field : source.fields)
      if (field.tensor == id) return field.name;
  return id.index() < plan.program.tensors.size() ? plan.program[id].origin.name : "";
}

}  // namespace

kernels::View FiniteCheck::on_host(kernels::View view, std::vector<std::byte>& copy) {
  if (!device::has_own_memory() || view.data == nullptr) return view;
  copy.resize(view.bytes());
  device::copy_to_host(copy.data(), view.data, copy.size());
  wait_for_device();
  view.data = copy.data();
  return view;
}

std::string FiniteCheck::inputs_of(BoundEntry const& entry, std::size_t index,
                                   kernels::View const& output, std::int64_t at, bool fused) {
  auto const& instructions = entry.entry->instructions;
  bool const is_nan = std::isnan(value_of(output, at));
  auto const& inputs = instructions[index].inputs;
  std::string words;
  bool sees_all = !fused;
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < inputs.size() && i < entry.views[index].size(); ++i) {
    auto const& bound = entry.views[index][i];
    auto const name = source_of(plan_, instructions, index, inputs[i]);
    sees_all = sees_all && !(inputs[i].index() < plan_.program.tensors.size() &&
                             is_state(plan_.program[inputs[i]].role));
    if (!is_real(bound) || bound.data == nullptr || bound.elements() == 0 || name.empty() ||
        is_overwritten(entry, index, bound))
      continue;
    bool const by_entry = bound.elements() == output.elements();
    auto const view = on_host(bound, input_);
    double low = value_of(view, by_entry ? at : 0), high = low;
    for (std::int64_t k = 0; !by_entry && k < view.elements(); ++k) {
      low = std::min(low, value_of(view, k));
      high = std::max(high, value_of(view, k));
    }
    words += words.empty() ? "\ncomputed from " : ", ";
    words += by_entry ? fmt::format("{:.6g} of `{}`", low, name)
                      : fmt::format("`{}` ({:.6g} to {:.6g})", name, low, high);
    least = std::min(least, low);
    most = std::max(most, high);
  }
  if (auto const cause = usual_cause(is_nan, sees_all, least, most);
      !words.empty() && !cause.empty())
    words += ": " + cause;
  return words;
}

Problem FiniteCheck::described(BoundEntry const& entry, BoundEntry::Step const& step,
                               std::size_t which, kernels::View const& output, std::int64_t at) {
  auto const& instruction = entry.entry->instructions[step.instruction];
  auto const& name = instruction.origin.name;
  // What is computed in the epilogue of a product, say, is another layer's output.
  std::string fused;
  if (which < instruction.outputs.size())
    if (auto const id = instruction.outputs[which]; id.index() < plan_.program.tensors.size())
      if (auto const& last = plan_.program[id].origin.name; !last.empty() && last != name)
        fused = " with `" + last + "`, computed together,";
  auto const words = "`" + name + "`" + fused + " has an output that is " + value_at(output, at) +
                     " at entry " + std::to_string(at) + ", the first such number of this step (" +
                     (step.description == nullptr ? std::string("--check-finite")
                                                  : std::string(step.description)) +
                     ")";
  return Problem{located(plan_.sources, instruction.origin.span, words) +
                 inputs_of(entry, step.instruction, output, at, !fused.empty())};
}

bool FiniteCheck::can_reach_objective(TensorId tensor) const {
  if (tensor.index() >= plan_.program.tensors.size()) return true;
  auto const role = plan_.program[tensor].role;
  return role == TensorRole::activation || role == TensorRole::result;
}

bool FiniteCheck::reads_infinite(BoundEntry const& entry, std::size_t index) {
  auto const count =
      std::min(entry.entry->instructions[index].inputs.size(), entry.views[index].size());
  for (std::size_t i = 0; i < count; ++i) {
    auto const& input = entry.views[index][i];
    if (!is_overwritten(entry, index, input) && first_not_finite(on_host(input, input_)) >= 0)
      return true;
  }
  return false;
}

void FiniteCheck::check_outputs(BoundEntry const& entry, BoundEntry::Step const& step) {
  auto const& written = entry.written[step.instruction];
  auto const& outputs = entry.entry->instructions[step.instruction].outputs;
  for (std::size_t which = 0; which < written.size(); ++which) {
    if (scope_ == Scope::cause && which < outputs.size() && !can_reach_objective(outputs[which]))
      continue;
    auto const view = on_host(written[which], output_);
    auto const at = first_not_finite(view);
    if (at < 0) continue;
    // A rank that computed it knows more; of a sum that is too large the next step tells.
    if (step.kind == BoundEntry::Kind::await) {
      received_ = true;
      return;
    }
    if (!problem_) problem_ = described(entry, step, which, view, at);
    if (scope_ == Scope::all) return;
    auto const nan = first_nan(view, at);
    if (nan < 0) continue;
    // Of infinite numbers come others: the first of those is to blame.
    nan_ = reads_infinite(entry, step.instruction)
               ? problem_
               : std::optional(described(entry, step, which, view, nan));
    return;
  }
}

void FiniteCheck::run(BoundEntry const& entry) {
  received_ = false;
  bool scaled = false;
  Executor::run(entry, [&](BoundEntry::Step const& step) {
    step.kernel->run();
    auto const& inputs = entry.entry->instructions[step.instruction].inputs;
    scaled = scaled || (plan_.loss_scale.valid() &&
                        std::ranges::find(inputs, plan_.loss_scale) != inputs.end());
    // The result of a collective is complete after its await.
    bool const written =
        step.kind == BoundEntry::Kind::compute || step.kind == BoundEntry::Kind::await;
    bool const found = scope_ == Scope::all ? problem_.has_value() : nan_.has_value();
    if (written && !found && !received_ && !scaled) check_outputs(entry, step);
  });
}

}  // namespace lbann::runtime
