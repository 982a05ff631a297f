// Fields of declared types read from a mapping.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "compiler/declarations/declaration.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/source/document.hpp"

namespace lbann::compiler {

/// One object to fill; several may share a mapping (a layer's own fields and those of all layers).
struct FieldTarget {
  DeclarationType const* type;
  void* object;
  std::vector<Span> places;  ///< per field, filled; unknown where the default holds
};

/// What stands around the fields, for messages and for keys that are read elsewhere.
struct FieldSurroundings {
  std::string_view owner;                         ///< what the fields belong to, e.g. `convolution`
  Span owner_span;                                ///< where missing fields are reported
  std::vector<std::string_view> others;           ///< keys the caller reads itself
  std::vector<DeclarationType const*> relatives;  ///< whose fields the user may have mixed up
  std::string_view reported_field = {};  ///< its absence is no message: another says to write it
};

/// Fills the targets from `body` (a mapping, or null for none). Reports unknown keys, wrong values
/// and missing required fields; false if anything was reported. Keys of parts are left to
/// `read_parts`.
bool read_fields(std::span<FieldTarget> targets, Node const& body,
                 FieldSurroundings const& surroundings, Report& report);

/// The same for a single object.
template <class T>
bool read_fields(DeclarationType const& type, T& object, Node const& body,
                 FieldSurroundings const& surroundings, Report& report,
                 std::vector<Span>* places = nullptr) {
  FieldTarget targets[] = {{&type, &object, {}}};
  bool const good = read_fields(targets, body, surroundings, report);
  if (places != nullptr) *places = targets[0].places;
  return good;
}

/// Reports a key of a mapping that is none of `known`; gives the one that was probably meant, or
/// nothing.
std::string report_unknown_key(Node const& mapping, Entry const& entry,
                               FieldSurroundings const& surroundings,
                               std::vector<std::string_view> const& known, Report& report);

/// Reports keys of a mapping that are not among `known`, nor the user's own (`x-...`).
bool check_keys(Node const& mapping, std::string_view owner,
                std::vector<std::string_view> const& known, Report& report);

}  // namespace lbann::compiler
