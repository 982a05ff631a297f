// Texts that would grow without bound end in one message; what was copied until then is counted.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// `text` `times` times, `between` between them.
std::string times(std::size_t count, std::string const& text, std::string const& between = ", ") {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += (i == 0 ? "" : between) + text;
  return all;
}

/// Each of `levels` names stands for ten of the one before it.
std::string tenfold(std::size_t levels, auto line) {
  std::string text;
  for (std::size_t i = 1; i <= levels; ++i)
    text += line("a" + std::to_string(i - 1), "a" + std::to_string(i));
  return text;
}

std::string model(std::string const& layers) {
  return "trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}\n"
         "data_reader: [{digits: {role: train, num_samples: 8}}]\nmodel:\n  layers:\n"
         "    - input: {data_field: samples}\n" +
         layers;
}

struct Growth {
  std::string name;
  std::string text;
  std::vector<std::string> overrides = {};
  char const* code = "too-large";
};

std::vector<Growth> growths() {
  auto const long_text = std::string(mebibyte, 'x');
  auto const long_variable = "variables: {long: " + long_text + "}\n";
  auto const long_list = [&](std::string const& with) {
    return long_variable + "x-list: [" + with + "]\nlist: [" + with + "]\n";
  };
  std::string const text_bomb =
      "variables:\n  a0: xxxxxxxxxx\n" + tenfold(9, [](std::string last, std::string name) {
        return "  " + name + ": \"" + times(10, "${" + last + "}", "") + "\"\n";
      });
  std::string const list_bomb =
      "variables:\n  a0: [1, 1]\n" + tenfold(9, [](std::string last, std::string name) {
        return "  " + name + ": [" + times(10, "\"${" + last + "}\"") + "]\n";
      });
  std::string const alias_bomb =
      "x-a0: &a0 [1]\n" + tenfold(12, [](std::string last, std::string name) {
        return "x-" + name + ": &" + name + " [" + times(10, "*" + last) + "]\n";
      });
  std::string chain = "variables:\n";
  for (int i = 10000; i < 20000; ++i)
    chain += "  v" + std::to_string(i) + ": \"${v" + std::to_string(i + 1) + "}\"\n";
  chain += "  v20000: 1\n";
  auto const repeat = [](std::string const& count, std::string const& entries) {
    return "{repeat: {times: " + count + ", entries: [" + entries + "]}}";
  };
  std::string calls = "modules:\n";
  for (int i = 0; i < 12; ++i)
    calls += "  m" + std::to_string(i) + ": {layers: [" +
             times(10, "{call: {module: m" + std::to_string(i + 1) + "}}") + "]}\n";
  calls += "  m12: {layers: [{relu: }]}\n";
  std::string nested = long_text;
  for (int i = 0; i < 90; ++i) nested = "{k: " + nested + "}";
  std::string anchors = long_text;
  for (int i = 0; i < 90; ++i) anchors = "&a" + std::to_string(i) + " [" + anchors + "]";

  return {
      {"variables of variables", text_bomb + model("    - relu:\n")},
      {"lists of lists", list_bomb + model("    - relu:\n")},
      {"nested mappings", "variables: {a: " + nested + "}\n" + model("    - relu:\n")},
      {"chain of variables", chain + model("    - relu:\n"), {}, "too-deep"},
      {"long text in many values", long_list(times(100, "\"${long}\""))},
      {"long text compared",
       long_variable + "value: \"${" + times(100, "long == long", " and ") + "}\"\n"},
      {"long text of arguments",
       long_variable + "value: \"${min(1" + times(100, ", long", "") + ")}\"\n"},
      {"aliases of aliases", alias_bomb + model("    - relu:\n")},
      {"aliases of a long text", "x-a: &a " + long_text + "\nx-b: [" + times(100, "*a") + "]\n"},
      {"anchors in anchors", "x-a: " + anchors + "\n"},
      {"repeat in repeat",
       model("    - " + repeat("1000", repeat("1000", repeat("1000", "{relu: }"))) + "\n")},
      {"repeat of nothing", model("    - " + repeat("1000000", repeat("1000000", "")) + "\n")},
      {"repeat of a long text",
       model("    - " + repeat("1000", "{relu: {x-a: " + long_text + "}}") + "\n")},
      {"repeat of a long key",
       model("    - " + repeat("1000", "{relu: {x-" + long_text.substr(0, 1000) + ": 1}}") +
             "\n    - " + repeat("100000", "{relu: {x-" + long_text.substr(0, 1000) + ": 1}}") +
             "\n")},
      {"repeat of numbers", model("    - reshape: {dims: [" + repeat("1000000", "1") + "]}\n")},
      {"calls in calls", calls + model("    - call: {module: m0}\n")},
      {"long prefix", long_variable + "modules: {m: {layers: [" + times(100, "{relu: }") + "]}}\n" +
                          model("    - call: {module: m, prefix: \"${long}\"}\n")},
      {"settings", model("    - " + repeat("1000", "{relu: }") +
                         "\n  settings: {\"*\": {x-a: " + long_text + "}}\n")},
      {"aliases of an argument",
       model("    - relu:\n"),
       {"x-a=[&a " + long_text + ", " + times(100, "*a") + "]"}},
  };
}

}  // namespace

TEST_CASE("what grows without bound is one error, and is counted") {
  for (auto const& growth : growths()) {
    CAPTURE(growth.name);
    Reading const read(growth.text, growth.overrides);
    std::size_t said = 0;
    for (auto const& diagnostic : read.report.diagnostics())
      said += diagnostic.info->code == growth.code ? 1 : 0;
    CHECK(said == 1);
    CHECK(read.report.diagnostics().size() < 200);
    auto const taken = read.budget.taken();
    CHECK(taken.values <= Budget::most_values);
    CHECK(taken.bytes <= Budget::most_bytes);
    CHECK(read.sources.size() <= Budget::most_values);
    CHECK(read.budget.exhausted() == (std::string_view(growth.code) == "too-large"));
  }
}

TEST_CASE("a file that is included many times counts each time") {
  auto const folder = fs::temp_directory_path() / ("growth" + std::to_string(::getpid()));
  fs::create_directory(folder);
  std::ofstream(folder / "part.yaml") << "# " << std::string(mebibyte, 'x') << "\nx-text: x\n";
  OpenContext context;
  context.places.beside = folder.string();
  Reading const read("include: [" + times(500, "part.yaml") + "]\n" + model("    - relu:\n"), {},
                     {}, context);
  fs::remove_all(folder);
  CHECK(read.codes().front() == "too-large@part.yaml");
  CHECK(read.report.diagnostics().size() == 1);
  CHECK(read.sources.size() < 100);
}

TEST_CASE("the environment counts like a variable") {
  ::setenv("LBANN_GROWTH_TEST", std::string(mebibyte / 10, 'x').c_str(), 1);
  Reading const read("list: [" + times(1000, "\"${env:LBANN_GROWTH_TEST}\"") + "]\n" +
                     model("    - relu:\n"));
  ::unsetenv("LBANN_GROWTH_TEST");
  CHECK(read.budget.exhausted());
}

TEST_CASE("an experiment of a usual size takes little") {
  Reading const read(
      "variables: {widths: [64, 32, 16]}\n" +
      model("    - repeat: {times: 3, index: i, entries: [{fully_connected: {name: \"fc${i}\", "
            "num_neurons: \"${widths[i]}\"}}]}\n"));
  CHECK(read.codes().empty());
  CHECK(read.budget.taken().values < 60);
  CHECK(read.budget.taken().bytes < 600);
}
