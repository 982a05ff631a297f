// What callbacks refer to, checked where it is written.
#pragma once

#include "compiler/callbacks/callback.hpp"
#include "compiler/diagnostics/diagnostic.hpp"
#include "compiler/experiment/experiment.hpp"

namespace lbann::compiler {

/// Every callback of the experiment, the trainer's first.
std::vector<Declaration const*> all_callbacks(Experiment const& experiment);

/// The texts in a field of a callback.
std::vector<std::string> texts_in(Declaration const& callback, std::string_view field);

/// Adds what a declaration finds to a report, at the fields of `callback`.
class FindingsAt final : public callbacks::Findings {
 public:
  FindingsAt(Declaration const& callback, Report& report) : callback_(callback), report_(report) {}
  void add(DiagnosticInfo const& info, std::string_view field,
           std::vector<std::string> arguments) override {
    report_.add(info, callback_.place_of(field), std::move(arguments));
  }

 private:
  Declaration const& callback_;
  Report& report_;
};

/// Reports phases and metrics that do not exist, paths that lead out of the run's folder, and
/// fields that contradict one another.
void check_callbacks(Experiment const& experiment, CallbackTypes const& types, Report& report);

}  // namespace lbann::compiler
