// Loops of AOT kernels over registers of numbers of any stored type.
#include "kernels/host/map/register_map.hpp"

#include <algorithm>

#include "kernels/host/load_numbers.hpp"
#include "kernels/host/map/register_functions.hpp"
#include "kernels/host/prefetch.hpp"
#include "kernels/map/aot_kernels.hpp"

namespace lbann::kernels::host {

namespace {

using V = Vector<float>;
constexpr int width = lanes<float>;

/// Rows shorter than this fill no registers.
constexpr std::int64_t least_row = 32;
/// Numbers between two prefetches, and how far ahead these are.
constexpr std::int64_t interval = 128, distance = 512;

using Kernels =
    std::tuple<aot::normalise, aot::normalise_relu<aot::InBf16>,
               aot::normalise_relu_gradient<aot::InBf16>, aot::normalise_add_relu<aot::InBf16>,
               aot::normalise_add_relu_gradient<aot::InBf16>, aot::normalise_both_relu<aot::InBf16>,
               aot::normalise_both_relu_gradient<aot::InBf16>, aot::normalise_gradient<aot::InBf16>,
               aot::relu_gradient<aot::InBf16>, aot::relu_gradient_of_sum<aot::InBf16>>;

bool is_stored(DataType type) { return type == DataType::f32 || is_sixteen_bit(type); }

/// Whether an operand is one number for each row.
bool is_number(CodeOperand const& operand, MapCode const& code) {
  return operand.access != Access::linear && operand.strides[code.last_axis()] == 0;
}

/// A tensor at an element.
struct Cursor {
  std::byte* at = nullptr;
  DataType type = DataType::f32;
  bool rounded = false;

  V load(std::int64_t i) const {
    if (type == DataType::f32) return load_vector(reinterpret_cast<float const*>(at) + i);
    auto const* const bits = reinterpret_cast<std::uint16_t const*>(at) + i;
    return type == DataType::bf16 ? load_bfloat16(bits) : load_float16(bits);
  }
  V load_first(std::int64_t i, int count) const {
    if (type == DataType::f32)
      return load_first_numbers(reinterpret_cast<float const*>(at) + i, count);
    if (type == DataType::bf16)
      return load_first_numbers(reinterpret_cast<BFloat16 const*>(at) + i, count);
    return load_first_numbers(reinterpret_cast<Float16 const*>(at) + i, count);
  }

  void store(std::int64_t i, V v) const {
    if (type == DataType::f32) return store_vector(reinterpret_cast<float*>(at) + i, v);
    store_bits(reinterpret_cast<std::uint16_t*>(at) + i, v);
  }
  void store_first(std::int64_t i, int count, V v) const {
    if (type == DataType::f32)
      return LaneRange<float>(0, count).store(reinterpret_cast<float*>(at) + i, v);
    std::uint16_t bits[width];
    store_bits(bits, v);
    copy_first_halves(reinterpret_cast<std::uint16_t*>(at) + i, bits, count);
  }

  /// Towards this core, as much of [i, i + count) as there is before `end`.
  template <bool writes>
  void prefetch(std::int64_t i, std::int64_t count, std::int64_t end) const {
    auto const bytes = static_cast<std::int64_t>(bytes_of(type));
    auto const some = std::min(count, end - i) * bytes;
    if constexpr (writes)
      prefetch_for_write(at + i * bytes, some);
    else
      host::prefetch(at + i * bytes, some);
  }

 private:
  void store_bits(std::uint16_t* to, V v) const {
    if (type == DataType::f16)
      store_float16(to, v);
    else
      store_bfloat16(to, rounded ? v : rounded_to_bfloat16(v));
  }
};

template <class I>
class Loop {
 public:
  Loop(RegisterMap const& map, MapCode const& code) : map_(map), code_(code) {}

  void run(std::int64_t begin, std::int64_t end) {
    auto const length = code_.row_length();
    for (std::int64_t position = begin; position < end;) {
      auto const column = position % length, count = std::min(length - column, end - position);
      find_row(position / length);
      point_to(position);
      run_row(count, code_.elements - position);
      position += count;
    }
  }

 private:
  static_assert(I::variants.size() == 1);
  static constexpr bool is_number(std::size_t k) { return (I::variants[0] >> k & 1) != 0; }

  void find_row(std::int64_t index) {
    for (std::size_t i = code_.last_axis(); i-- > 0;) {
      row_[i] = index % code_.extents[i];
      index /= code_.extents[i];
    }
  }

  void point_to(std::int64_t position) {
    auto const cursor_at = [&](void const* data, DataType type) {
      auto const bytes = static_cast<std::int64_t>(bytes_of(type));
      return Cursor{static_cast<std::byte*>(const_cast<void*>(data)) + position * bytes, type};
    };
    for (std::size_t k = 0; k < I::operands; ++k) {
      auto const& operand = code_.operands[map_.operands[k]];
      if (is_number(k))
        fixed_[k] = {broadcast(number_of(operand))};
      else
        in_[k] = cursor_at(operand.data, operand.type);
    }
    for (std::size_t o = 0; o < I::outputs; ++o) {
      auto const& output = code_.outputs[map_.outputs[o]];
      out_[o] = cursor_at(output.data, output.type);
      out_[o].rounded = map_.rounded[map_.outputs[o]];
    }
  }

  float number_of(CodeOperand const& operand) const {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < code_.last_axis(); ++i) at += row_[i] * operand.strides[i];
    return with_stored_type(operand.type, [&](auto zero) {
      return convert<float>(static_cast<decltype(zero) const*>(operand.data)[at]);
    });
  }

  void run_row(std::int64_t count, std::int64_t available) const {
    run_row(count, available, std::make_index_sequence<I::operands>(),
            std::make_index_sequence<I::outputs>());
  }

  template <std::size_t... k, std::size_t... o>
  void run_row(std::int64_t count, std::int64_t available, std::index_sequence<k...>,
               std::index_sequence<o...>) const {
    // Copies, which no store to an output can change.
    Cursor const in[] = {in_[k]...}, out[] = {out_[o]...};
    Register const fixed[] = {fixed_[k]...};
    Register constants[I::constants + 1];
    for (std::size_t c = 0; c < I::constants; ++c) constants[c] = {broadcast(map_.constants[c])};
    std::int64_t i = 0;
    for (; i + width <= count; i += width) {
      if (i % interval == 0) {
        ((is_number(k) ? void()
                       : in[k].template prefetch<false>(i + distance, interval, available)),
         ...);
        (out[o].template prefetch<true>(i + distance, interval, available), ...);
      }
      Register const x[] = {is_number(k) ? fixed[k] : Register{in[k].load(i)}...};
      Register y[sizeof...(o)];
      I::define(x, constants, y);
      (out[o].store(i, y[o].value), ...);
    }
    if (i == count) return;
    auto const left = static_cast<int>(count - i);
    Register const x[] = {is_number(k) ? fixed[k] : Register{in[k].load_first(i, left)}...};
    Register y[sizeof...(o)];
    I::define(x, constants, y);
    (out[o].store_first(i, left, y[o].value), ...);
  }

  RegisterMap const& map_;
  MapCode const& code_;
  std::int64_t row_[max_axes] = {};
  Cursor in_[I::operands], out_[I::outputs];
  Register fixed_[I::operands];
};

template <class I>
void run_loop(RegisterMap const& map, MapCode const& code, std::int64_t begin, std::int64_t end) {
  Loop<I>(map, code).run(begin, end);
}

template <std::size_t... n>
auto loop_named(std::string_view name, std::index_sequence<n...>) {
  void (*run)(RegisterMap const&, MapCode const&, std::int64_t, std::int64_t) = nullptr;
  static_cast<void>(((std::tuple_element_t<n, Kernels>::name == name
                          ? (run = run_loop<std::tuple_element_t<n, Kernels>>, true)
                          : false) ||
                     ...));
  return run;
}

/// Whether bf16 holds the outputs of an expression as they are computed.
std::array<bool, max_outputs> rounded_outputs(Expression const& expression) {
  ExpressionBuilder builder(Algebra::verbatim);
  std::vector<Term> operands;
  for (std::size_t k = 0; k < expression.operand_count(); ++k)
    operands.push_back(builder.operand(k));
  auto const terms = builder.inlined(expression, operands);
  std::array<bool, max_outputs> rounded{};
  for (std::size_t o = 0; o < terms.size(); ++o)
    rounded[o] = builder.is_rounded(terms[o], Function::bfloat16);
  return rounded;
}

}  // namespace

std::optional<RegisterMap> RegisterMap::bind(MapRequest const& request, MapCode const& code) {
  if (!request.aot_kernels || code.compute != DataType::f32 || code.row_length() < least_row)
    return {};
  bool narrow = false;
  for (std::size_t k = 0; k < request.operands.size(); ++k) {
    auto const& operand = code.operands[k];
    narrow = narrow || is_sixteen_bit(operand.type);
    if (is_number(operand, code)) continue;
    if (operand.access != Access::linear || !is_stored(operand.type)) return {};
  }
  for (std::size_t o = 0; o < request.outputs.size(); ++o) {
    narrow = narrow || is_sixteen_bit(code.outputs[o].type);
    if (!is_stored(code.outputs[o].type)) return {};
  }
  if (!narrow) return {};
  auto const match = match_aot_kernel(
      request.expression, [&](std::size_t k) { return is_number(code.operands[k], code); });
  if (!match) return {};
  RegisterMap map;
  map.run_ = loop_named(aot_kernel_name(match->kernel),
                        std::make_index_sequence<std::tuple_size_v<Kernels>>{});
  if (map.run_ == nullptr) return {};
  map.kernel = match->kernel;
  std::ranges::copy(match->operands, map.operands.begin());
  std::ranges::copy(match->outputs, map.outputs.begin());
  std::ranges::transform(match->constants, map.constants.begin(), [&](std::uint32_t node) {
    return static_cast<float>(request.expression.nodes[node].constant);
  });
  map.rounded = rounded_outputs(request.expression);
  return map;
}

}  // namespace lbann::kernels::host
