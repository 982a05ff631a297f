// Numbers beyond what their types hold, and numbers that nobody means.
#include "compiler/experiment/reading/number_ranges.hpp"

#include <doctest/doctest.h>

#include "tests/compiler/experiment/read_text.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

using Words = std::vector<std::string>;

/// What is said of an experiment with these parts.
Words codes(std::string const& rate,
            std::string const& layer = "relu: ", std::string const& model = {},
            std::string const& more = {}) {
  Reading read(
      "trainer: {mini_batch_size: 4, training_algorithm: {sgd: {max_epochs: 1}}}\n"
      "data_reader: [{digits: {role: train, num_samples: 8}}]\nmodel:\n" +
      model +
      "  layers:\n    - input: {data_field: samples}\n    - fully_connected: {name: f, "
      "num_neurons: 3, weights: [w]}\n    - " +
      layer + "\n    - l2_norm2: {name: loss}\n  objective_function:\n    - layer_term: {layer: " +
      "loss}\n" + more + "optimizer: {sgd: {learn_rate: " + rate + "}}\n");
  if (!read.report.has_errors()) check_number_ranges(read.experiment, read.report);
  return read.codes();
}

}  // namespace

TEST_CASE("a number that is infinite or zero as a float is an error") {
  CHECK(codes("0.1") == Words{});
  CHECK(codes("0") == Words{});
  CHECK(codes("1.0e-40") == Words{});
  CHECK(codes("1.0e-50") == Words{"not-in-float@1.0e-50"});
  CHECK(codes("1.0e+39") == Words{"unusual-value@1.0e+39", "not-in-float@1.0e+39"});
  CHECK(codes("0.1", "scale: {constant: -1.0e+39}") == Words{"not-in-float@-1.0e+39"});
  CHECK(codes("0.1", "scale: {constant: 1.0e+39}", "  datatype: double\n") == Words{});
  CHECK(codes("0.1", "scale: {constant: 1.0e+39, datatype: double}") == Words{});
  CHECK(
      codes(
          "0.1", "relu: ", {},
          "  weights:\n    - {name: w, initializer: {constant_initializer: {value: 1.0e+39}}}\n") ==
      Words{"not-in-float@1.0e+39"});
}

TEST_CASE("a learning rate that nobody means is a warning with its reason") {
  CHECK(codes("100") == Words{});
  CHECK(codes("1.0e+30") == Words{"unusual-value@1.0e+30"});
  CHECK(
      codes("0.1", "relu: ", {}, "  callbacks:\n    - set_learning_rate: {step: 1, val: 5000}\n") ==
      Words{"unusual-value@5000"});
}

TEST_CASE("a number that no type holds is out of range, whole or not") {
  CHECK(codes("1.0e+999") == Words{"out-of-range@1.0e+999"});
  CHECK(codes("0.1", "fully_connected: {num_neurons: 99999999999999999999}") ==
        Words{"out-of-range@99999999999999999999"});
  CHECK(codes("0.1", "fully_connected: {num_neurons: 9223372036854775808}") ==
        Words{"out-of-range@9223372036854775808"});
  CHECK(codes("0.1", "fully_connected: {num_neurons: 1.5}") == Words{"wrong-type@1.5"});
}
