// The form of an initializer's declaration: fields, and how it fills weights.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/declaration.hpp"
#include "schemas/operators/operators.hpp"

namespace lbann::compiler {

/// What an initializer knows of the weights it fills.
struct Filling {
  Shape shape;
  DataType type = DataType::f32;
  std::int64_t key = 0;            ///< stable hash of the weights' name, for `random`
  double fan_in = 0, fan_out = 0;  ///< 0: the layer defines none
  std::size_t width_dims = 0;      ///< trailing dims that are the width of LBANN's matrix
};

// A declaration is a struct in `compiler/initializers/` with name, summary, fields and
//
//     static constexpr bool needs_fans;
//     // A `map` without operands, `constant` or `random`; not where it has a member `file`: then
//     the
//     // numbers are read from there when a run begins.
//     Operator fill(Filling const& filling) const;
//     // Only where numbers are given one by one: how many.
//     std::size_t given_values() const;

/// An initializer without its C++ type.
struct InitializerType {
  DeclarationType declaration;
  bool needs_fans;  ///< an error where the layer defines no fans
  /// Nothing where a file tells.
  std::optional<Operator> (*fill)(void const* initializer, Filling const& filling);
  std::optional<std::size_t> (*given_values)(void const* initializer);
  std::string (*file)(void const* initializer);  ///< empty: none
};

/// All initializers, made once in `main` and passed on; looked up by name.
class InitializerTypes {
 public:
  InitializerTypes();
  InitializerType const* find(std::string_view name) const;
  std::vector<InitializerType const*> all() const;

 private:
  std::vector<InitializerType> types_;
};

}  // namespace lbann::compiler
