// Experiments written out by `--emit`, for the tests of what that shortens.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "compiler/compile.hpp"

namespace lbann::compiler {

/// What `compile` gives with `emit`; a failure of the test if the text is wrong.
inline std::string emitted(std::string text, std::string const& emit, std::string name = "e.yaml") {
  static Declarations const declarations;
  CompileOptions options;
  options.name = std::move(name);
  options.text = std::move(text);
  options.emit = emit;
  auto const compiled = compile(options, declarations);
  REQUIRE_FALSE_MESSAGE(compiled.report.has_errors(), options.text);
  return compiled.dump;
}

/// The digest of what a text means.
inline std::string meaning(std::string const& text, std::string name = "e.yaml") {
  auto const told = emitted(text, "plan-text", std::move(name));
  auto const begin = told.find("meaning");
  REQUIRE(begin != std::string::npos);
  return told.substr(begin, told.find('\n') - begin);
}

/// The text as YAML, which must mean the same, as must TOML; both are written alike once more.
inline std::string rewritten(std::string const& text) {
  auto const before = meaning(text);
  for (std::string const syntax : {"yaml", "toml"}) {
    auto const again = emitted(text, syntax);
    CHECK_MESSAGE(meaning(again, "e." + syntax) == before, again);
    CHECK(emitted(again, syntax, "e." + syntax) == again);
  }
  return emitted(text, "yaml");
}

/// The experiment with these layers after `x`, of 24 numbers.
inline std::string experiment_of(std::string const& layers, std::string const& objective = {}) {
  return "trainer: {mini_batch_size: 8, training_algorithm: {sgd: {max_epochs: 1}}}\n"
         "data_reader:\n  - synthetic: {role: train, num_samples: 16, synth_dimensions: [24]}\n"
         "model:\n  layers:\n    - input: {name: x, data_field: samples}\n" +
         layers + objective + "optimizer: {sgd: {learn_rate: 0.1}}\n";
}

}  // namespace lbann::compiler
