#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::metrics {

/// Asked at the end of every phase by rank 0 of a trainer: `filename other_args path` in a shell,
/// in the folder that callbacks write to; `path` in it, `trainer0/model0`, is where LBANN's files
/// of the model lie. Its output is one number; an exit code other than 0 ends the run.
struct executable_metric {
  static constexpr std::string_view name = "executable_metric";
  static constexpr std::string_view summary =
      "A number that a program prints about the run, at the end of every phase.";

  std::string name_ = {};
  std::string filename;
  std::string other_args = {};

  std::string shown_name() const {
    return name_.empty() ? filename.substr(filename.rfind('/') + 1) : name_;
  }

  static constexpr auto fields() {
    return std::tuple{
        field("name", &executable_metric::name_,
              "Name in log lines; the program's file name if left out."),
        path(field("filename", &executable_metric::filename, "The program.", Presence::required)),
        field("other_args", &executable_metric::other_args,
              "Its arguments before the path of the model's files, as in a shell.")};
  }
};

}  // namespace lbann::metrics
