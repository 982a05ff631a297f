// Texts of maps, compiled by the host's compiler and run index by index: the same bits as the
// bytecode they were written from.
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include "kernels/jit/map_text.hpp"
#include "kernels/kokkos/map_element.hpp"
#include "schemas/expression/expression.hpp"

using namespace lbann;
using kernels::MapCode;
using kernels::View;
namespace jit = kernels::jit;

namespace {

/// What CUDA has of its own in a text; a case of a thread is called by its number.
constexpr char const* beginning = R"(
#include <cmath>
#include "schemas/functions/all.hpp"
#include "kernels/conversion.hpp"
#include "kernels/jit/map_arguments.hpp"
#define __grid_constant__
#define __device__
static struct { unsigned x; } blockIdx, threadIdx;
)";

/// A tensor of random numbers, of the host's memory.
struct Tensor {
  std::vector<std::byte> bytes;
  View view;

  Tensor(DataType type, std::vector<std::int64_t> const& extents, std::mt19937& random) {
    view.type = type;
    view.rank = static_cast<std::uint8_t>(extents.size());
    std::copy(extents.begin(), extents.end(), view.extents.begin());
    // Loads of several elements are aligned to all of their bytes.
    bytes.resize(view.bytes() + 64);
    auto const address = reinterpret_cast<std::uintptr_t>(bytes.data());
    view.data = bytes.data() + (64 - address % 64);
    std::uniform_real_distribution<double> number(-3, 3);
    kernels::with_type(type, [&](auto zero) {
      using E = decltype(zero);
      for (std::int64_t i = 0; i < view.elements(); ++i)
        view.as<E>()[i] = kernels::convert<E>(number(random));
    });
  }
};

struct MapCase {
  std::vector<Tensor> operands, outputs;
  MapCode code;
  jit::MapText text;

  MapCase(std::string const& map, std::vector<std::int64_t> const& shape, DataType compute,
          DataType output, std::mt19937& random) {
    auto const expression = parse_expression(map);
    REQUIRE_MESSAGE(expression.has_value(), map);
    auto const last = shape.back();
    std::vector<std::pair<DataType, std::vector<std::int64_t>>> const kinds = {
        {compute, shape},
        {DataType::f32, {shape[1], 1}},
        {DataType::f64, {1}},
        {DataType::i64, shape},
        {DataType::u8, {shape[0], 1, last}},
        {DataType::f64, {shape[0], 1, 1}},
        {DataType::f32, {last}}};
    for (std::size_t k = 0; k < expression->operand_count(); ++k)
      operands.emplace_back(kinds[k].first, kinds[k].second, random);
    for (std::size_t o = 0; o < expression->outputs.size(); ++o)
      outputs.emplace_back(output, shape, random);
    auto const views = [](std::vector<Tensor> const& tensors) {
      std::vector<View> all;
      for (auto const& tensor : tensors) all.push_back(tensor.view);
      return all;
    };
    auto const from = views(operands), to = views(outputs);
    auto const found = kernels::assemble({*expression, compute, shape, from, to, false});
    REQUIRE_MESSAGE(found.has_value(), map);
    code = *found;
    text = jit::map_text(code);
  }

  template <class T>
  void run_bytecode() const {
    bool const placed = kernels::MapElement<T>::needs_place(code);
    for (std::int64_t i = 0; i < code.elements; ++i)
      kernels::MapElement<T>(code, placed, i).write();
  }

  std::vector<std::byte> results() const {
    std::vector<std::byte> all;
    for (auto const& output : outputs) {
      auto const* const data = output.view.as<std::byte>();
      all.insert(all.end(), data, data + output.view.bytes());
    }
    return all;
  }
};

/// `text` without what would name its kernel for all cases.
std::string of_case(std::string text, std::size_t number) {
  constexpr std::string_view declared = "extern \"C\" __global__ void __launch_bounds__(256) map(";
  auto const at = text.find(declared);
  REQUIRE(at != std::string::npos);
  text.replace(at, declared.size(), "inline void map(");
  return "namespace case" + std::to_string(number) + " {\n" + text + "}\n";
}

/// The numbers of an element, for kernels that reduce them, by a function that takes any type.
std::string values_of_case(MapCode const& code, std::size_t number) {
  return "namespace values" + std::to_string(number) + " {\n" + jit::values_text(code) +
         "void get(jit::MapArguments const& a, std::int64_t at, double* numbers) {\n"
         "  T found[8];\n  Values{a}.get(at, found);\n"
         "  for (int o = 0; o < " +
         std::to_string(code.output_count) + "; ++o) numbers[o] = found[o];\n}\n}\n";
}

template <class T>
void check_values(MapCode const& code, std::function<void(std::int64_t, double*)> const& get) {
  bool const placed = kernels::MapElement<T>::needs_place(code);
  bool same = true;
  for (std::int64_t i = 0; i < code.elements; ++i) {
    kernels::MapElement<T> const element(code, placed, i);
    double numbers[8];
    get(i, numbers);
    for (int o = 0; o < code.output_count; ++o)
      same = same && std::bit_cast<std::int64_t>(numbers[o]) ==
                         std::bit_cast<std::int64_t>(static_cast<double>(element.output(o)));
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("texts of maps: the same bits as bytecode, for operands and outputs of every kind") {
  std::mt19937 random(7);
  std::vector<MapCase> cases;
  for (auto const& shape :
       {std::vector<std::int64_t>{6, 5, 8}, {3, 4, 7}, {1, 1, 1}, {2, 1, 300}, {0, 3, 4}})
    for (auto const compute : {DataType::f32, DataType::f64})
      for (auto const output : {compute, DataType::i32, DataType::u8})
        for (auto const* const map :
             {"(add(add(i0, i1), multiply(i2, add(i3, i4))), select(less(i5, i6), i0, 0.1))",
              "(tanh(i0), exp(multiply(i1, i5)), add(pow(i2, i2), i0))",
              "(divide(i0, -0.0), add(i1, 1e-300), minimum(i0, 16777217))"})
          cases.emplace_back(map, shape, compute, output, random);

  std::string source = beginning, calls, gets;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    source += of_case(cases[i].text.text, i) + values_of_case(cases[i].code, i);
    auto const label = "    case " + std::to_string(i) + ": return ";
    calls += label + "case" + std::to_string(i) + "::map(a);\n";
    gets += label + "values" + std::to_string(i) + "::get(a, at, numbers);\n";
  }
  source +=
      "extern \"C\" void run(int number, unsigned block, unsigned thread,\n"
      "                    lbann::kernels::jit::MapArguments const& a) {\n"
      "  blockIdx.x = block;\n  threadIdx.x = thread;\n  switch (number) {\n" +
      calls +
      "  }\n}\n"
      "extern \"C\" void get(int number, lbann::kernels::jit::MapArguments const& a,\n"
      "                    std::int64_t at, double* numbers) {\n  switch (number) {\n" +
      gets + "  }\n}\n";
  auto const folder =
      std::filesystem::temp_directory_path() / ("lbann_map_text." + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "maps.cpp") << source;
  char const* const root = std::getenv("LBANN_SOURCE_ROOT");
  REQUIRE(root != nullptr);
  auto const command =
      std::string("c++ -std=c++20 -O1 -ffp-contract=off -fno-strict-aliasing -w ") +
      "-shared -fPIC -I" + root + " -I" LBANN_BUILD_ROOT " " + (folder / "maps.cpp").string() +
      " -o " + (folder / "maps.so").string();
  REQUIRE(std::system(command.c_str()) == 0);
  void* const library = ::dlopen((folder / "maps.so").c_str(), RTLD_NOW);
  REQUIRE_MESSAGE(library != nullptr, ::dlerror());
  using Run = void (*)(int, unsigned, unsigned, jit::MapArguments const&);
  auto const run = reinterpret_cast<Run>(::dlsym(library, "run"));
  using Get = void (*)(int, jit::MapArguments const&, std::int64_t, double*);
  auto const get = reinterpret_cast<Get>(::dlsym(library, "get"));
  bool const both = run != nullptr && get != nullptr;
  REQUIRE(both);

  bool wide = false, narrow = false;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    auto const& each = cases[i];
    each.code.compute == DataType::f64 ? each.run_bytecode<double>() : each.run_bytecode<float>();
    auto const expected = each.results();
    for (auto const& output : each.outputs)
      std::memset(output.view.data, 0x5a, output.view.bytes());
    auto const arguments = jit::map_arguments(each.code);
    auto const get_numbers = [&](std::int64_t at, double* numbers) {
      get(static_cast<int>(i), arguments, at, numbers);
    };
    each.code.compute == DataType::f64 ? check_values<double>(each.code, get_numbers)
                                       : check_values<float>(each.code, get_numbers);
    auto const of_block = std::int64_t{jit::map_threads} * each.text.width;
    for (std::int64_t block = 0; block * of_block < each.code.elements; ++block)
      for (unsigned thread = 0; thread < jit::map_threads; ++thread)
        run(static_cast<int>(i), static_cast<unsigned>(block), thread, arguments);
    CHECK_MESSAGE(each.results() == expected, each.text.text);
    (each.text.width > 1 ? wide : narrow) = true;
  }
  CHECK(wide);
  CHECK(narrow);
  ::dlclose(library);
  std::filesystem::remove_all(folder);
}
