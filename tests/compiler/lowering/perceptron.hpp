// A small model, compiled with callbacks.
#pragma once

#include <doctest/doctest.h>

#include <memory>

#include "compiler/graph/build.hpp"
#include "tests/support/graph_fixture.hpp"

namespace lbann::compiler {

using Words = std::vector<std::string>;

/// A perceptron whose weights are trained, with dropout, compiled with callbacks.
struct Perceptron : GraphFixture {
  Perceptron() {
    experiment.layers = layer_entries(layer_types,
                                      "x: input {data_field: \"samples\"}\n"
                                      "f: fully_connected {num_neurons: 3}\n"
                                      "d: dropout {keep_prob: 0.5}\n"
                                      "loss: l2_norm2\n");
    experiment.objective.emplace_back().layer = Name{"loss", {}};
    experiment.optimizer = optimizer_from(optimizer_types, "sgd {learn_rate: 0.1}");
    give_field(experiment, "samples", {4});
  }

  template <class T>
  Perceptron& with(T const& callback) {
    static auto const type = declaration_type<T>();
    Declaration declaration;
    declaration.type = &type;
    declaration.object = std::make_shared<T>(callback);
    declaration.field_spans.resize(type.fields.size());
    experiment.callbacks.push_back(std::move(declaration));
    return *this;
  }

  Words compile(std::string_view stop_after = {}) {
    compilation.graph = build_graph(experiment, layer_types, report);
    auto const result = run_passes(compilation, stop_after);
    REQUIRE_MESSAGE(result.good(), (result.good() ? "" : result.problem().message));
    Words entries;
    for (auto const& entry : compilation.program.entry_points) entries.push_back(entry.name);
    return entries;
  }

  Words observed(std::string const& entry) const {
    Words names;
    for (auto const& observation : compilation.state.observations)
      if (observation.entry == entry)
        names.push_back(
            std::string(observable_names[static_cast<std::size_t>(observation.observable)]) + " " +
            observation.name + "." + std::to_string(observation.index));
    return names;
  }

  /// Whether an instruction of the entry point writes state.
  bool writes_state(std::string_view entry) const {
    for (auto const& instruction : compilation.program.entry_point(entry)->instructions)
      for (auto const id : instruction.outputs)
        if (is_state(compilation.program[id].role)) return true;
    return false;
  }
};

}  // namespace lbann::compiler
