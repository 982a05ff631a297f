#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::metrics {

/// Asked at the end of every phase by rank 0 of a trainer: python3 imports the module and calls
/// `function(path, 0)`, which returns a number, in the folder that callbacks write to; `path` in
/// it, `trainer0/model0`, is where LBANN's files of the model lie. An exception ends the run.
struct python_metric {
  static constexpr std::string_view name = "python_metric";
  static constexpr std::string_view summary =
      "A number that a Python function gives for the run, at the end of every phase.";

  std::string name_ = {};
  std::string module;
  std::string module_dir = {};
  std::string function = "evaluate";

  std::string shown_name() const { return name_.empty() ? module + "." + function : name_; }

  static constexpr auto fields() {
    return std::tuple{
        field("name", &python_metric::name_, "Name in log lines; `module.function` if left out."),
        field("module", &python_metric::module, "Name of the module.", Presence::required),
        path(field("module_dir", &python_metric::module_dir,
                   "Folder of the module, beside those Python looks in anyway.")),
        field("function", &python_metric::function,
              "Function of the path of the model's files, in the folder where callbacks write, and "
              "the "
              "rank that asks, e.g. `trainer0/model0` and 0.")};
  }
};

}  // namespace lbann::metrics
