// What differs between the layers that a module stands for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/source/document.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann::compiler {

/// The parameters of a module while it is written, with their values in each of its calls.
class Parameters {
 public:
  explicit Parameters(std::size_t calls) : calls_(calls) {}

  /// The text of the module that gives these texts, one for each call: what counts evenly in all of
  /// them is one parameter, what they begin with another.
  std::string text(std::vector<std::string> const& texts);

  /// The value of a field in the module that gives these values, one for each call; `otherwise` is
  /// what calls need not say.
  Node value(FieldInfo const& field, std::vector<Node> const& values,
             std::optional<Node> const& otherwise);

  std::size_t count() const { return parameters_.size(); }
  Node declared() const;               ///< `parameters` of the module
  Node given(std::size_t call) const;  ///< `with` of a call

  /// The values of the parameters that texts begin with.
  std::vector<std::vector<std::string>> beginnings() const;

 private:
  struct Parameter {
    std::string name, type;
    std::vector<Node> values;
    std::optional<Node> otherwise;
    std::vector<std::int64_t> counts;     ///< of one that counts
    std::vector<std::string> beginnings;  ///< of one that texts begin with
  };

  Parameter& add(std::string name, std::string type);
  std::string counted(std::vector<std::int64_t> const& numbers, std::string const& before);
  std::optional<std::string> numbered(std::vector<std::string> const& texts);
  std::string begun(std::vector<std::string> const& texts);

  std::size_t calls_;
  std::vector<Parameter> parameters_;
};

}  // namespace lbann::compiler
