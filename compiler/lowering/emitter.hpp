// Appending instructions to an entry point, with the tensors they write.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "schemas/expression/builder.hpp"
#include "schemas/program/program.hpp"

namespace lbann::compiler {

/// Names of tensors given so far, as hashes: two names that share one are told apart by a number
/// neither of them needs, nothing worse.
class TensorNames {
 public:
  TensorNames() = default;
  /// Those that the tensors of a program have.
  explicit TensorNames(Program const& program);
  /// `wanted`, or with the smallest number from 2 on that makes it new.
  std::string unique(std::string wanted);

 private:
  std::unordered_set<std::int64_t> hashes_;
};

/// Appends instructions to one entry point of a program. Operators that do not accept their inputs
/// are faults of ours: std::logic_error.
class Emitter {
 public:
  /// Makes the entry point if there is none of this name yet.
  Emitter(Program& program, TensorNames& names, std::string const& entry, std::string pass);

  /// Outputs are new tensors named `<base>/<operator>`.
  std::vector<TensorId> emit(Operator op, std::vector<TensorId> inputs, Origin const& origin,
                             std::string const& base);
  /// Outputs are existing tensors: state, results, gradients.
  void emit_to(std::vector<TensorId> outputs, Operator op, std::vector<TensorId> inputs,
               Origin const& origin);
  /// A map of scalars in f64, written to `output`.
  void scalar_to(TensorId output, Expression expression, std::vector<TensorId> inputs,
                 Origin const& origin);
  TensorId scalar(Expression expression, std::vector<TensorId> inputs, Origin const& origin,
                  std::string const& base);
  /// The sum of `expression` over all elements of the first input, in f64. All inputs have its
  /// type.
  TensorId total(Expression expression, std::vector<TensorId> inputs, Origin const& origin,
                 std::string const& base);
  /// Has `tensor` stored as `type`; false unless the last instruction is a map that makes it.
  bool store_as(TensorId tensor, DataType type);
  /// Gives an activation a name that tells what it is.
  void rename(TensorId tensor, std::string const& name);
  Program& program() { return *program_; }

 private:
  Program* program_;
  TensorNames* names_;
  std::size_t entry_;
  std::string pass_;
};

}  // namespace lbann::compiler
