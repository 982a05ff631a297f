// Writes the steps of a map as statements.
#include "kernels/jit/map_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

#include "kernels/map/map_views.hpp"
#include "schemas/expression/function_info.hpp"

namespace lbann::kernels::jit {

namespace {

using std::to_string;

std::string_view type_name(DataType type) {
  switch (type) {
    case DataType::f64:
      return "double";
    case DataType::bf16:
      return "BFloat16";
    case DataType::f16:
      return "Float16";
    case DataType::i32:
      return "std::int32_t";
    case DataType::i64:
      return "std::int64_t";
    case DataType::u8:
      return "std::uint8_t";
    default:
      return "float";
  }
}

/// All bits of it: hexadecimal, where minus zero keeps its sign; infinities and NaN by name.
std::string constant_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "T(%a)", value);
  if (std::isfinite(value)) return text;
  if (std::isnan(value)) return "T(std::numeric_limits<double>::quiet_NaN())";
  return std::string("T(") + (value > 0 ? "" : "-") + "std::numeric_limits<double>::infinity())";
}

class Writer {
 public:
  Writer(MapCode const& code, int width) : code_(code), width_(width) {
    short_ = code.elements < (std::int64_t{1} << 31);
  }

  /// Includes and names.
  std::string beginning() const {
    std::string text =
        "#include \"kernels/conversion.hpp\"\n#include \"kernels/jit/map_arguments.hpp\"\n";
    for (auto const& name : functions())
      text += "#include \"schemas/functions/" + name + ".hpp\"\n";
    return text +
           "using namespace lbann;\nusing namespace lbann::kernels;\n"
           "using T = " +
           std::string(type_name(code_.compute)) +
           ";\nusing Index = " + (short_ ? "std::uint32_t" : "std::int64_t") +
           ";\ntemplate <class E, int n>\nstruct alignas(n * sizeof(E)) Pack {\n  E of[n];\n};\n";
  }

  /// Everything but the stores, for `width` elements from `index` on.
  std::string body() const {
    std::string text = places();
    for (std::size_t k = 0; k < code_.operand_count; ++k) text += load(k);
    for (std::size_t s = 0; s < code_.scalar_step_count; ++s) {
      auto const& step = code_.scalar_steps[s];
      text += "  const T s" + to_string(step.destination) + " = " + call(step, true) + ";\n";
    }
    return text;
  }

  /// The steps of element `v`, which end with values w0, w1 and so on.
  std::string steps() const {
    std::string text;
    for (std::size_t r = 0; r < max_registers; ++r)
      if (uses_register(r)) text += "    T r" + to_string(r) + ";\n";
    for (std::size_t o = 0; o < code_.output_count; ++o) text += "    T w" + to_string(o) + ";\n";
    for (std::size_t s = 0; s < code_.step_count; ++s) {
      auto const& step = code_.steps[s];
      text += "    ";
      switch (step.operation) {
        case kernels::load:
          text += 'r' + to_string(step.destination) + " = " + operand(step.arguments[0]);
          break;
        case store:
          text += 'w' + to_string(step.destination) + " = " + value(step.arguments[0]);
          break;
        case store_scalar:
          text += 'w' + to_string(step.destination) + " = " + scalar(step.arguments[0]);
          break;
        default:
          text += value(step.destination) + " = " + call(step, false);
      }
      text += ";\n";
    }
    return text;
  }

 private:
  bool uses_register(std::size_t r) const {
    for (std::size_t s = 0; s < code_.step_count; ++s) {
      auto const& step = code_.steps[s];
      if (step.operation != store && step.operation != store_scalar && step.destination == r)
        return true;
    }
    return false;
  }

  std::set<std::string> functions() const {
    std::set<std::string> names;
    auto const add = [&](Step const& step) {
      if (step.operation < kernels::load)
        names.insert(std::string(info_of(static_cast<Function>(step.operation / 8)).name));
    };
    for (std::size_t s = 0; s < code_.scalar_step_count; ++s) add(code_.scalar_steps[s]);
    for (std::size_t s = 0; s < code_.step_count; ++s) add(code_.steps[s]);
    return names;
  }

  bool is_placed(std::size_t k) const {
    auto const access = code_.operands[k].access;
    return access != Access::linear && access != Access::scalar;
  }

  /// Where the first of the elements lies along each axis.
  std::string places() const {
    bool placed = false;
    for (std::size_t k = 0; k < code_.operand_count; ++k) placed = placed || is_placed(k);
    if (!placed) return {};
    std::string text = "  Index rest = index;\n";
    for (std::size_t i = code_.axes; i-- > 1;) {
      auto const number = to_string(i);
      text += short_ ? "  const auto along" + number + " = divide(rest, a.divisors[" + number +
                           "]);\n  const Index p" + number + " = along" + number +
                           ".remainder;\n  rest = along" + number + ".quotient;\n"
                     : "  const Index p" + number + " = rest % a.extents[" + number +
                           "];\n  rest /= a.extents[" + number + "];\n";
    }
    return text + "  const Index p0 = rest;\n";
  }

  /// The element of operand `k` for the first of the elements.
  std::string place_of(std::size_t k) const {
    auto const& operand = code_.operands[k];
    if (operand.access == Access::linear) return "index";
    std::string text;
    if (operand.access != Access::scalar)
      for (std::size_t i = 0; i < code_.axes; ++i) {
        if (operand.strides[i] == 0) continue;
        text += (text.empty() ? "" : " + ") + ('p' + to_string(i));
        if (operand.strides[i] != 1)
          text += " * a.operands[" + to_string(k) + "].strides[" + to_string(i) + "]";
      }
    return text.empty() ? "0" : text;
  }

  /// Along the elements of a thread.
  std::int64_t step_of(std::size_t k) const {
    auto const& operand = code_.operands[k];
    if (operand.access == Access::linear) return 1;
    if (operand.access == Access::scalar || width_ == 1) return 0;
    return operand.strides[code_.last_axis()];
  }

  bool is_packed(std::size_t k) const {
    auto const& operand = code_.operands[k];
    if (width_ == 1 || step_of(k) != 1) return false;
    if (operand.access == Access::linear) return true;
    for (std::size_t i = 0; i + 1 < code_.axes; ++i)
      if (operand.strides[i] % width_ != 0) return false;
    return true;
  }

  /// One number for all elements of the thread, or an array `x` of them.
  bool is_single(std::size_t k) const { return width_ == 1 || step_of(k) == 0; }

  std::string load(std::size_t k) const {
    auto const number = to_string(k);
    std::string const type(type_name(code_.operands[k].type));
    auto const from = "static_cast<" + type + " const*>(a.operands[" + number + "].data)";
    if (is_single(k)) {
      auto text = "  const T o" + number + " = convert<T>(" + from + "[" + place_of(k) + "]);\n";
      if (kernels::is_scalar(code_.operands[k]))
        text += "  const T s" + to_string(code_.operands[k].scalar) + " = o" + number + ";\n";
      return text;
    }
    auto const pack = "Pack<" + type + ", " + to_string(width_) + "> ";
    if (is_packed(k))
      return "  const auto x" + number + " = *reinterpret_cast<" + pack + "const*>(" + from +
             " + (" + place_of(k) + "));\n";
    auto text = "  const auto from" + number + " = " + from + " + (" + place_of(k) + ");\n  " +
                pack + 'x' + number + " = {";
    for (int v = 0; v < width_; ++v)
      text += (v == 0 ? "from" : ", from") + number + '[' + to_string(v) + " * a.operands[" +
              number + "].strides[" + to_string(code_.last_axis()) + "]]";
    return text + "};\n";
  }

  std::string operand(std::size_t k) const {
    auto const number = to_string(k);
    return is_single(k) ? 'o' + number : "convert<T>(x" + number + ".of[v])";
  }

  std::string scalar(std::uint8_t slot) const {
    return slot < code_.constant_count ? constant_text(code_.constants[slot])
                                       : 's' + to_string(slot);
  }

  std::string value(std::uint8_t slot) const {
    if (slot < first_operand_slot) return 'r' + to_string(slot);
    if (slot < first_output_slot)
      return operand(static_cast<std::size_t>(slot - first_operand_slot));
    return 'w' + to_string(slot - first_output_slot);
  }

  std::string call(Step const& step, bool of_scalars) const {
    auto const& info = info_of(static_cast<Function>(step.operation / 8));
    unsigned const singles = step.operation % 8;
    auto text = "functions::" + std::string(info.name) + "::value(";
    for (std::size_t a = 0; a < info.arity; ++a) {
      bool const single = of_scalars || (singles >> a & 1) != 0;
      text +=
          (a == 0 ? "" : ", ") + (single ? scalar(step.arguments[a]) : value(step.arguments[a]));
    }
    return text + ')';
  }

  MapCode const& code_;
  int width_;
  bool short_;
};

/// Elements of a thread: as many as a load of 16 bytes, if all tensors that are read and written
/// along them allow it.
int width_of(MapCode const& code) {
  constexpr int most = 4;
  auto const aligned = [](void const* data, DataType type) {
    return reinterpret_cast<std::uintptr_t>(data) % (most * bytes_of(type)) == 0;
  };
  if (code.elements % most != 0) return 1;
  for (std::size_t k = 0; k < code.operand_count; ++k) {
    auto const& operand = code.operands[k];
    if (operand.access == Access::scalar) continue;
    if (!aligned(operand.data, operand.type)) return 1;
    if (operand.access != Access::linear && code.row_length() % most != 0) return 1;
  }
  for (std::size_t o = 0; o < code.output_count; ++o)
    if (!aligned(code.outputs[o].data, code.outputs[o].type)) return 1;
  return most;
}

}  // namespace

MapText map_text(MapCode const& code) {
  auto const width = width_of(code);
  Writer const writer(code, width);
  auto const w = to_string(width);
  auto text = writer.beginning() +
              "extern \"C\" __global__ void __launch_bounds__(256) map(\n"
              "    const __grid_constant__ jit::MapArguments a) {\n"
              "  const Index index = (blockIdx.x * Index(256) + threadIdx.x) * " +
              w + ";\n  if (index >= a.elements) return;\n" + writer.body();
  for (std::size_t o = 0; o < code.output_count; ++o)
    text += "  Pack<" + std::string(type_name(code.outputs[o].type)) + ", " + w + "> y" +
            to_string(o) + ";\n";
  text += "#pragma unroll\n  for (int v = 0; v < " + w + "; ++v) {\n" + writer.steps();
  for (std::size_t o = 0; o < code.output_count; ++o) {
    auto const number = to_string(o);
    text += "    y" + number + ".of[v] = convert<" + std::string(type_name(code.outputs[o].type)) +
            ">(w" + number + ");\n";
  }
  text += "  }\n";
  for (std::size_t o = 0; o < code.output_count; ++o) {
    auto const number = to_string(o);
    std::string const type(type_name(code.outputs[o].type));
    text += "  *reinterpret_cast<Pack<" + type + ", " + w + ">*>(static_cast<" + type +
            "*>(a.outputs[" + number + "]) + index) = y" + number + ";\n";
  }
  return {text + "}\n", width};
}

std::string values_text(MapCode const& code) {
  Writer const writer(code, 1);
  auto text = writer.beginning() +
              "struct Values {\n  static constexpr int at_once = 4;\n  jit::MapArguments a;\n"
              "  __device__ void get(std::int64_t at, T* numbers) const {\n"
              "  const Index index = static_cast<Index>(at);\n  const int v = 0;\n" +
              writer.body() + writer.steps();
  for (std::size_t o = 0; o < code.output_count; ++o)
    text += "    numbers[" + to_string(o) + "] = w" + to_string(o) + ";\n";
  return text + "  }\n};\n";
}

MapArguments map_arguments(MapCode const& code) {
  MapArguments arguments;
  arguments.elements = code.elements;
  for (std::size_t i = 0; i < code.axes; ++i) {
    arguments.extents[i] = code.extents[i];
    if (code.extents[i] > 0 && code.extents[i] < (std::int64_t{1} << 31))
      arguments.divisors[i] = Divisor::of(code.extents[i]);
  }
  for (std::size_t k = 0; k < code.operand_count; ++k) {
    arguments.operands[k].data = code.operands[k].data;
    std::copy_n(code.operands[k].strides.begin(), code.axes, arguments.operands[k].strides);
  }
  for (std::size_t o = 0; o < code.output_count; ++o) arguments.outputs[o] = code.outputs[o].data;
  return arguments;
}

}  // namespace lbann::kernels::jit
