// Compilations and experiments made from short texts, for tests of layers, graphs and passes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/passes/pipeline.hpp"

namespace lbann::compiler {

/// The compilation of one graph.
struct GraphFixture {
  explicit GraphFixture(std::string_view graph_text = "", DataType type = DataType::f32);

  /// Codes of all diagnostics, in order.
  std::vector<std::string> codes() const;
  /// Instructions of an entry point, one per line, without what caused them.
  std::string instructions(std::string_view entry) const;

  LayerTypes layer_types;
  InitializerTypes initializer_types;
  OptimizerTypes optimizer_types;
  CallbackTypes callback_types;
  Experiment experiment;
  Report report;
  Compilation compilation;
};

/// A data field of all readers of the experiment (one is made if there is none).
void give_field(Experiment& experiment, std::string name, Dims dims);

/// The optimizer `type {field: value, ...}`.
Declaration optimizer_from(OptimizerTypes const& types, std::string_view text);

/// What reading an experiment would make of these fields, but for places.
template <class T>
Declaration declaration_of(T const& fields) {
  return {detail::inner_type<T>(), std::make_shared<T>(fields), {}, {}, {}, {}};
}

/// Layers from lines `name: type {field: value} (parent, ...) children a, b weights w hint x
/// freeze`; without parentheses a layer follows the one before it. Spans are the bytes of the names
/// in `text`.
std::vector<LayerEntry> layer_entries(LayerTypes const& types, std::string_view text);

/// Runs `pass` on each graph `tests/compiler/passes/<name>/*.before`, checks it with all
/// `established` so far and compares with `*.after` (tests/support/expected.hpp).
void check_graph_cases(std::string const& name, void (*pass)(Compilation&),
                       std::function<void(GraphFixture&)> const& prepare = {});

}  // namespace lbann::compiler
