// Words of the graph's text form: names, values of fields, declarations.
#pragma once

#include "compiler/declarations/declaration.hpp"
#include "compiler/declarations/dims.hpp"

namespace lbann::compiler {

/// Shortest decimal that reads back as `value`.
std::string real_text(double value);
/// In double quotes, with `"`, `\` and line ends escaped.
std::string quoted_text(std::string_view text);
/// The name as it is where the text form can tell its end, else quoted.
std::string name_text(std::string_view name);
std::string value_text(Value const& value);
/// `type {field: value, ...}` with the fields that differ from their defaults; `-` for none.
std::string declaration_text(Declaration const& declaration);

/// Reads one line of a text form from left to right. After a failure everything fails; `fault` says
/// what was expected first.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) { skip_spaces(); }

  bool at_end() const { return rest_.empty(); }
  bool failed() const { return !fault_.empty(); }
  std::string const& fault() const { return fault_; }
  void fail(std::string expected);

  /// Takes `token` (a word ends where no letter follows) if it comes next.
  bool take(std::string_view token);
  void expect(std::string_view token);
  std::string name();
  std::string quoted();
  std::int64_t integer();
  double real();
  Dims dims();
  std::vector<std::string> names();  ///< separated by commas
  Value value(FieldKind kind);
  /// Fields of a declaration of `type`, or an empty declaration after failing.
  Declaration declaration(DeclarationType const& type);

 private:
  void skip_spaces();
  template <class Element, class Read>
  std::vector<Element> list(Read read);

  std::string_view rest_;
  std::string fault_;
};

}  // namespace lbann::compiler
