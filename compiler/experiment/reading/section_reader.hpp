// What the readers of all sections share: all declarations, the report, lists and names.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "compiler/experiment/declarations.hpp"
#include "compiler/experiment/experiment.hpp"
#include "compiler/experiment/values/entries.hpp"
#include "compiler/experiment/values/fields.hpp"

namespace lbann::compiler {

struct SectionReader {
  Declarations const& declarations;
  Report& report;
  Experiment& experiment;

  void trainer(Entry const& section) const;
  void memory_limit(Entry const& trainer) const;
  void readers(Node const& section) const;
  void coordinator_transforms(Declaration const& coordinator) const;
  void model(Entry const& section) const;
  void layers(Node const& section) const;
  void weights(Node const& section) const;
  void objective(Node const& section) const;
  void metrics(Node const& section) const;
  void callbacks(Node const& section) const;

  /// Keys and types in modules that nothing calls; their values wait for parameters.
  void uncalled_modules(Node const& section) const;
  void uncalled_layers(Node const& layers, Node const& modules) const;
  void uncalled_parameters(Node const& call, Node const& modules) const;

  void layer(Node const& node, std::size_t& unnamed) const;
  void reader(Node const& node) const;
  void reader_fields(Node const& section, ReaderEntry& entry) const;
  void limits(Declaration const& algorithm) const;
  /// How long is trained where the trainer does not say it.
  void epochs(Entry const& trainer) const;

  /// Calls `read` for each element; reports what is not a list.
  void list(Node const& section, std::string_view name,
            std::function<void(Node const&)> const& read) const;
  /// Reports what is not a mapping.
  bool mapping(Node const& section, std::string_view name) const;
  /// A value that is one text or a list of texts, each with its place. Elements of other kinds are
  /// left out: `read_fields` has reported them.
  static std::vector<Name> names(Node const& node);
  /// Reports names that hold blanks or, where `dots` is false, end like the output of a layer.
  bool check_name(Name const& name, bool dots) const;
};

/// Adds what another report holds.
void take_over(Diagnostic const& diagnostic, Report& report);

}  // namespace lbann::compiler
