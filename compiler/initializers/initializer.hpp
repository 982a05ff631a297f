// The form of an initializer's declaration: fields, and how it fills weights.
#pragma once

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
};

// A declaration is a struct in `compiler/initializers/` with name, summary, fields and
//
//     static constexpr bool needs_fans;
//     Operator fill(Filling const& filling) const;  // a `map` without operands, or `random`

/// An initializer without its C++ type.
struct InitializerType {
  DeclarationType declaration;
  bool needs_fans;  ///< an error where the layer defines no fans
  Operator (*fill)(void const* initializer, Filling const& filling);
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
