// Dims of data fields: as the readers tell them, or as the layers that take them need them.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "compiler/graph/graph.hpp"

namespace lbann::compiler {

class DataFieldDims {
 public:
  /// Assumed dims are written to `readers`.
  DataFieldDims(std::vector<ReaderEntry>& readers, Report& report)
      : readers_(readers), report_(report) {}

  /// Neither: nobody tells the dims.
  struct Found {
    std::optional<Dims> dims;
    bool wrong = false;  ///< reported
  };
  /// `span`: where the layer names the field.
  Found dims_of(std::string const& field, Span span);

  /// Takes for the dims of the field of input layer `input` what follows from the layers around it,
  /// with a warning: samples that are only cut along their first axis are flat and end at the last
  /// slice point; labels and responses have the dims of the prediction they are compared with. The
  /// runtime compares them with the data.
  bool assume(Graph const& graph, LayerId input);

  /// Says that the dims of the field of input layer `layer` are not known, unless something was
  /// said of it before.
  void report_unknown(std::string const& field, GraphLayer const& layer);

 private:
  ReaderEntry::FieldDims* find(ReaderEntry& reader, std::string const& field) const;

  std::vector<ReaderEntry>& readers_;
  Report& report_;
  bool reported_readers_ = false;
  std::unordered_set<std::string> reported_;  ///< fields
};

}  // namespace lbann::compiler
