// Long lists of numbers as rules.
#include "compiler/export/long_lists.hpp"

#include "tests/compiler/export/written.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

/// The experiment with 24 x `rows` weights of these values.
std::string valued(std::vector<std::string> const& values, int rows) {
  std::string list;
  for (auto const& value : values) list += (list.empty() ? "" : ", ") + value;
  return experiment_of(
      "    - fully_connected: {num_neurons: " + std::to_string(rows) +
      ", has_bias: false, weights: {name: w, initializer: {value_initializer: {values: [" + list +
      "]}}}}\n");
}

bool holds(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("numbers that count, are equal, or come again are written as a rule") {
  std::vector<std::string> counting, falling, equal, blocks;
  for (int i = 0; i < 48; ++i) {
    counting.push_back(std::to_string(i) + ".0");
    falling.push_back(std::to_string(100 - 2 * i));
    equal.push_back("0.25");
    blocks.push_back(
        std::vector<std::string>{"1.5", "-2.0", "0.5"}[static_cast<std::size_t>(i % 3)]);
  }
  CHECK(holds(rewritten(valued(counting, 2)),
              R"(values: [{repeat: {times: 48, index: i, entries: ["${i}"]}}])"));
  CHECK(holds(rewritten(valued(falling, 2)),
              R"(values: [{repeat: {times: 48, index: i, entries: ["${100 - 2 * i}"]}}])"));
  CHECK(holds(rewritten(valued(equal, 2)), "values: [{repeat: {times: 48, entries: [0.25]}}]"));
  CHECK(holds(rewritten(valued(blocks, 2)),
              "values: [{repeat: {times: 16, entries: [1.5, -2.0, 0.5]}}]"));
}

TEST_CASE("a triangle of zeros is written as a rule") {
  std::vector<std::string> mask;
  for (int row = 0; row < 24; ++row)
    for (int column = 0; column < 24; ++column) mask.push_back(column <= row ? "0.0" : "-1e9");
  auto const yaml = rewritten(valued(mask, 24));
  CHECK_MESSAGE(holds(yaml, R"(
                  - repeat: {times: "${i + 1}", entries: [0.0]}
                  - repeat: {times: "${23 - i}", entries: [-1.0e+9]}
)"),
                yaml);
}

TEST_CASE("numbers without a rule stay as they are") {
  std::vector<std::string> values;
  for (int i = 0; i < 48; ++i) values.push_back(std::to_string(i * i % 31) + ".5");
  CHECK_FALSE(holds(rewritten(valued(values, 2)), "repeat"));
}
