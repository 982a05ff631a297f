// The interpreter of map bytecode over tiles of hundreds of elements. How it uses the memory around
// a tile (prefetching, non-temporal stores) is said by a policy.
#pragma once

#include "kernels/host/map/functions.hpp"
#include "kernels/map/aot_kernels.hpp"
#include "kernels/map/arity.hpp"
#include "kernels/map/map_code.hpp"

namespace lbann::kernels {

/// Maps of more elements prefetch each tile while the one before it is computed.
inline constexpr std::int64_t prefetched_elements = std::int64_t{1} << 19;

/// Elements that an ahead-of-time kernel computes between two prefetches.
inline constexpr int prefetch_interval = 128;

/// Replaces tensors of a map for one range: operand 0 (a tile of a product that is still in the
/// cache, for an epilogue) and the first outputs (a buffer of the caller, for a reduction).
struct MapOverride {
  void const* first = nullptr;  ///< instead of operand 0; null to keep it
  void* values = nullptr;       ///< instead of the first outputs; null to keep them
  int outputs = 1;              ///< how many outputs are replaced,
  std::int64_t pitch = 0;       ///< each so many elements after the one before
  bool streams = false;         ///< the operands behind a replaced first one are not in the cache
};

namespace detail {

/// The state of one range on one thread.
template <class T, int width, class Memory>
struct MapRange {
  MapCode const& code;
  MapOverride const put;
  std::int64_t const begin;
  T scalars[max_scalars];
  std::int64_t row[max_axes];          ///< index along all but the last axis
  T const* operands[max_operands];     ///< of those used in place, at the tile
  std::int64_t offsets[max_operands];  ///< of linear and row operands, at the tile
  alignas(64) T registers[max_registers][width];
  T* outputs[max_outputs];
  /// Tiles of non-temporal outputs: computed here, then copied.
  alignas(64) T staged[max_outputs][Memory::has_non_temporal_stores ? width : 1];
  int rest = 0;  ///< elements after the tile that are prefetched while it is computed

  MapRange(MapCode const& c, MapOverride o, std::int64_t b) : code(c), put(o), begin(b) {}

  void const* data_of(int k) const {
    return k == 0 && put.first != nullptr ? put.first : code.operands[k].data;
  }

  /// Where the range of output `o` begins if it is put elsewhere, else null.
  T* put_values(int o) const {
    if (put.values == nullptr || o >= put.outputs) return nullptr;
    return static_cast<T*>(put.values) + o * put.pitch;
  }

  /// Element `index` of operand `k` in the type computed in.
  T element(int k, std::int64_t index) const {
    void const* const data = data_of(k);
    return with_stored_type(code.operands[k].type, [&](auto zero) {
      return convert<T>(static_cast<decltype(zero) const*>(data)[index]);
    });
  }

  T const* vector(std::uint8_t slot) const {
    if (slot < first_operand_slot) return registers[slot];
    if (slot < first_output_slot) return operands[slot - first_operand_slot];
    return outputs[slot - first_output_slot];
  }
  T* writable(std::uint8_t slot) {
    return slot < first_operand_slot ? registers[slot] : outputs[slot - first_output_slot];
  }

  /// Whether output `o` is written with non-temporal stores.
  bool is_non_temporal(int o) const {
    return Memory::has_non_temporal_stores && code.outputs[o].non_temporal &&
           put.first == nullptr && put.values == nullptr;
  }

  void find_row(std::int64_t position) {
    std::int64_t index = position / code.row_length();
    for (int i = code.axes - 2; i >= 0; --i) {
      row[i] = index % code.extents[i];
      index /= code.extents[i];
    }
  }
  void next_row() {
    for (int i = code.axes - 2; i >= 0; --i) {
      if (++row[i] < code.extents[i]) return;
      row[i] = 0;
    }
  }
  std::int64_t row_offset(CodeOperand const& operand) const {
    std::int64_t offset = 0;
    for (int i = 0; i < code.axes - 1; ++i) offset += row[i] * operand.strides[i];
    return offset;
  }

  template <class S>
  void load_as(int k, T* destination, std::int64_t position, int count) {
    auto const& operand = code.operands[k];
    auto const* const data = static_cast<S const*>(data_of(k));
    if (operand.access != Access::expanded) {
      if (is_prefetched(k)) Memory::prefetch(data + offsets[k] + count, rest);
      convert_range(destination, data + offsets[k], count);
      return;
    }
    // Rows are short: those that the tile touches, as many at once as follow one another along the
    // axis before the last.
    auto const length = code.row_length();
    auto const before = code.axes < 2 ? 0 : (code.axes - 2u) % max_axes;
    auto const step = operand.strides[before];
    bool const varies = operand.strides[code.last_axis()] != 0;
    find_row(position);
    std::int64_t column = position % length;
    for (int done = 0; done < count;) {
      auto const* const from = data + row_offset(operand) + (varies ? column : 0);
      auto const left = code.extents[before] - row[before], fit = (count - done) / length;
      if (column != 0 || fit == 0) {
        auto const rest = static_cast<int>(length - column);
        int const part = rest < count - done ? rest : count - done;
        load_rows(destination + done, from, 1, step, part, varies, width - done);
        done += part;
        column = 0;
        next_row();
        continue;
      }
      int const rows = static_cast<int>(left < fit ? left : fit);
      load_rows(destination + done, from, rows, step, static_cast<int>(length), varies,
                width - done);
      done += rows * static_cast<int>(length);
      row[before] += rows - 1;
      next_row();
    }
  }

  /// Rows of `length` elements from addresses `step` apart, or of one element each that does not
  /// vary. Of these, as many are written as a loop without branches takes, within the `room` that
  /// there is behind `destination`.
  template <class S>
  static void load_rows(T* destination, S const* from, int rows, std::int64_t step, int length,
                        bool varies, int room) {
    constexpr int most = 16;
    int r = 0;
    if (!varies && length <= most)
      for (; r < rows && r * length + most <= room; ++r) {
        T const value = convert<T>(from[r * step]);
#pragma GCC unroll 16
        for (int i = 0; i < most; ++i) destination[r * length + i] = value;
      }
    for (; r < rows; ++r) {
      T* const to = destination + r * length;
      if (varies) {
        convert_range(to, from + r * step, length);
      } else {
        T const value = convert<T>(from[r * step]);
        for (int i = 0; i < length; ++i) to[i] = value;
      }
    }
  }

  void load_operand(int k, T* destination, std::int64_t position, int count) {
    with_stored_type(code.operands[k].type,
                     [&](auto zero) { load_as<decltype(zero)>(k, destination, position, count); });
  }

  template <class S>
  void store_as(S* destination, T const* source, T value, int count) {
    if (source != nullptr) {
      convert_range(destination, source, count);
      return;
    }
    S const converted = convert<S>(value);
    for (int i = 0; i < count; ++i) destination[i] = converted;
  }

  /// `source`, or `value` for all if that is null.
  void store_output(int o, T const* source, T value, std::int64_t position, int count) {
    if (T* const values = put_values(o); values != nullptr)
      return store_as(values + (position - begin), source, value, count);
    if (is_non_temporal(o)) return store_as(staged[o], source, value, count);
    void* const data = code.outputs[o].data;
    with_stored_type(code.outputs[o].type, [&](auto zero) {
      auto* const to = static_cast<decltype(zero)*>(data) + position;
      if (put.first == nullptr) Memory::prefetch_for_write(to + count, rest);
      store_as(to, source, value, count);
    });
  }

  template <class F>
  T scalar_value(Step const& step) const {
    auto const a = scalars[step.arguments[0]];
    if constexpr (arity<F>() == 1)
      return F::value(a);
    else if constexpr (arity<F>() == 2)
      return F::value(a, scalars[step.arguments[1]]);
    else
      return F::value(a, scalars[step.arguments[1]], scalars[step.arguments[2]]);
  }

  void run_scalar_steps() {
    for (int s = 0; s < code.scalar_step_count; ++s) {
      auto const& step = code.scalar_steps[s];
      switch (static_cast<Function>(step.operation / 8)) {
#define LBANN_CASE(NAME)                                             \
  case Function::NAME:                                               \
    scalars[step.destination] = scalar_value<functions::NAME>(step); \
    break;
        LBANN_FUNCTIONS(LBANN_CASE)
#undef LBANN_CASE
      }
    }
  }

  template <class F>
  void run_function(Step const& step, int count) {
    T* const d = writable(step.destination);
    unsigned const mask = step.operation % 8;
    auto const& slots = step.arguments;
    auto pointer = [&](int a) { return (mask >> a & 1) != 0 ? d : vector(slots[a]); };
    auto scalar = [&](int a) { return (mask >> a & 1) != 0 ? scalars[slots[a]] : T(0); };
    if constexpr (arity<F>() == 1) {
      apply_unary<T, F>(d, pointer(0), count);
    } else if constexpr (arity<F>() == 2) {
      T const *const a = pointer(0), *const b = pointer(1);
      T const sa = scalar(0), sb = scalar(1);
      if (mask == 0)
        apply_binary<T, F, 0>(d, a, sa, b, sb, count);
      else if (mask == 1)
        apply_binary<T, F, 1>(d, a, sa, b, sb, count);
      else
        apply_binary<T, F, 2>(d, a, sa, b, sb, count);
    } else {
      T const *const a = pointer(0), *const b = pointer(1), *const c = pointer(2);
      T const sa = scalar(0), sb = scalar(1), sc = scalar(2);
      switch (mask) {
        case 0:
          return apply_ternary<T, F, 0>(d, a, sa, b, sb, c, sc, count);
        case 1:
          return apply_ternary<T, F, 1>(d, a, sa, b, sb, c, sc, count);
        case 2:
          return apply_ternary<T, F, 2>(d, a, sa, b, sb, c, sc, count);
        case 3:
          return apply_ternary<T, F, 3>(d, a, sa, b, sb, c, sc, count);
        case 4:
          return apply_ternary<T, F, 4>(d, a, sa, b, sb, c, sc, count);
        case 5:
          return apply_ternary<T, F, 5>(d, a, sa, b, sb, c, sc, count);
        default:
          return apply_ternary<T, F, 6>(d, a, sa, b, sb, c, sc, count);
      }
    }
  }

  /// Prefetches `count` elements from `begin`, counted from the tile, of an operand used in place.
  void prefetch_operand(std::uint8_t slot, int begin, int count) const {
    if (slot < first_operand_slot || slot >= first_output_slot) return;
    int const k = slot - first_operand_slot;
    if (is_prefetched(k)) Memory::prefetch(operands[k] + begin, count);
  }
  /// The same of an output; not of a product that is finished in place, which is in the cache.
  void prefetch_output(std::uint8_t slot, int begin, int count) const {
    if (slot < first_output_slot || put.values != nullptr) return;
    int const o = slot - first_output_slot;
    if (is_non_temporal(o) || (put.first != nullptr && outputs[o] == operands[0])) return;
    Memory::prefetch_for_write(outputs[o] + begin, count);
  }
  bool is_prefetched(int k) const {
    return code.operands[k].access == Access::linear &&
           (put.first == nullptr || (put.streams && k != 0));
  }

  template <class I, std::uint16_t variant, std::size_t... k, std::size_t... c, std::size_t... o>
  void run_aot_kernel(int count, std::index_sequence<k...>, std::index_sequence<c...>,
                      std::index_sequence<o...>) {
    T const* const in[] = {((variant >> k & 1) != 0 ? nullptr : vector(code.aot_operands[k]))...};
    Number<T> const fixed[] = {{(variant >> k & 1) != 0 ? scalars[code.aot_operands[k]] : T(0)}...};
    Number<T> const constants[] = {{scalars[code.aot_constants[c]]}..., {T(0)}};
    T* const out[] = {writable(code.aot_outputs[o])...};
    for (int begin = 0; begin < count; begin += prefetch_interval) {
      int const end = begin + prefetch_interval < count ? begin + prefetch_interval : count;
      if (int const some = (end < rest ? end : rest) - begin; some > 0) {
        (prefetch_operand((variant >> k & 1) != 0 ? 0 : code.aot_operands[k], count + begin, some),
         ...);
        (prefetch_output(code.aot_outputs[o], count + begin, some), ...);
      }
      // Not `omp simd`, under which gcc 12 does not take the small arrays apart.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
      for (int i = begin; i < end; ++i) {
        Number<T> const x[] = {((variant >> k & 1) != 0 ? fixed[k] : Number<T>{in[k][i]})...};
        Number<T> y[sizeof...(o)];
        I::define(x, constants, y);
        ((out[o][i] = y[o].value), ...);
      }
    }
  }

  template <class I, std::size_t... v>
  void run_variants(int count, std::index_sequence<v...>) {
    static_cast<void>(
        ((code.aot_variant == I::variants[v]
              ? (run_aot_kernel<I, I::variants[v]>(count, std::make_index_sequence<I::operands>{},
                                                   std::make_index_sequence<I::constants>{},
                                                   std::make_index_sequence<I::outputs>{}),
                 true)
              : false) ||
         ...));
  }

  template <std::size_t... n>
  void run_any_aot_kernel(int count, std::index_sequence<n...>) {
    static_cast<void>(
        ((code.aot_kernel == n + 1
              ? (run_variants<std::tuple_element_t<n, aot::List>>(
                     count, std::make_index_sequence<
                                std::tuple_element_t<n, aot::List>::variants.size()>{}),
                 true)
              : false) ||
         ...));
  }

  void run_step(Step const& step, std::int64_t position, int count) {
    switch (step.operation) {
      case load:
        return load_operand(step.arguments[0], registers[step.destination], position, count);
      case store:
        return store_output(step.destination, vector(step.arguments[0]), T(0), position, count);
      case store_scalar:
        return store_output(step.destination, nullptr, scalars[step.arguments[0]], position, count);
      case call_aot_kernel:
        return run_any_aot_kernel(count, std::make_index_sequence<std::tuple_size_v<aot::List>>{});
      default:
        break;
    }
    switch (static_cast<Function>(step.operation / 8)) {
#define LBANN_CASE(NAME) \
  case Function::NAME:   \
    return run_function<functions::NAME>(step, count);
      LBANN_FUNCTIONS(LBANN_CASE)
#undef LBANN_CASE
    }
  }

  void read_scalars(Access access) {
    for (int k = 0; k < code.operand_count; ++k)
      if (code.operands[k].access == access)
        scalars[code.operands[k].scalar] =
            element(k, access == Access::scalar ? 0 : row_offset(code.operands[k]));
  }

  void run(std::int64_t end) {
    for (int i = 0; i < code.constant_count; ++i) scalars[i] = static_cast<T>(code.constants[i]);
    read_scalars(Access::scalar);
    if (!code.row_scalars) run_scalar_steps();
    auto const length = code.row_length();
    bool const several_rows = code.rows_apart && code.axes > 1;
    std::int64_t column = several_rows ? begin % length : 0;
    if (several_rows) find_row(begin);
    bool fresh = true;
    // An ahead-of-time kernel that reads a product still in the cache and keeps nothing in
    // registers runs over the whole range at once instead of tile by tile.
    bool const whole = code.aot_kernel != 0 && code.step_count == 1 && put.first != nullptr;
    std::int64_t const most = whole ? 1 << 20 : width;
    for (std::int64_t position = begin; position < end;) {
      std::int64_t const to_end = end - position;
      std::int64_t count = to_end < most ? to_end : most;
      if (several_rows) {
        if (length - column < count) count = length - column;
        if (fresh && code.row_scalars) {
          read_scalars(Access::row_scalar);
          run_scalar_steps();
        }
        fresh = false;
      }
      std::int64_t const left = code.elements - position - count;
      rest =
          code.elements <= prefetched_elements ? 0 : static_cast<int>(left < width ? left : width);
      for (int k = 0; k < code.operand_count; ++k) {
        auto const& operand = code.operands[k];
        if (operand.access == Access::linear)
          offsets[k] = k == 0 && put.first != nullptr ? position - begin : position;
        else if (operand.access == Access::row)
          offsets[k] = row_offset(operand) + column;
        else
          continue;
        if (operand.type != code.compute) continue;
        operands[k] = static_cast<T const*>(data_of(k)) + offsets[k];
        if (code.aot_kernel == 0 && is_prefetched(k)) Memory::prefetch(operands[k] + count, rest);
      }
      for (int o = 0; o < code.output_count; ++o) {
        if (T* const values = put_values(o); values != nullptr)
          outputs[o] = values + (position - begin);
        else if (is_non_temporal(o))
          outputs[o] = staged[o];
        else if (code.outputs[o].type == code.compute)
          outputs[o] = static_cast<T*>(code.outputs[o].data) + position;
      }
      for (int s = 0; s < code.step_count; ++s)
        run_step(code.steps[s], position, static_cast<int>(count));
      for (int o = 0; o < code.output_count; ++o)
        if (is_non_temporal(o))
          Memory::copy_non_temporal(static_cast<T*>(code.outputs[o].data) + position, staged[o],
                                    count);
      position += count;
      column += count;
      if (several_rows && column == length) {
        column = 0;
        fresh = true;
        next_row();
      }
    }
    for (int o = 0; o < code.output_count; ++o)
      if (is_non_temporal(o)) return Memory::store_fence();
  }
};

}  // namespace detail

/// Runs elements [begin, end) of `code`, which computes in T.
template <class T, int width, class Memory>
void run_map(MapCode const& code, std::int64_t begin, std::int64_t end, MapOverride put = {}) {
  detail::MapRange<T, width, Memory> range(code, put, begin);
  range.run(end);
}

}  // namespace lbann::kernels
