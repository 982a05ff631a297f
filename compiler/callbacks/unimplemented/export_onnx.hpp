// Callback `export_onnx`, declared but not built.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "schemas/vocabulary/field.hpp"

namespace lbann::callbacks {

struct export_onnx {
  static constexpr std::string_view name = "export_onnx";
  static constexpr std::string_view summary = "Writes the trained model in ONNX format.";
  static constexpr Support support = Support::unimplemented;

  std::string output_filename = "lbann_output.onnx";
  std::string debug_string_filename;

  static constexpr auto fields() {
    return std::tuple{
        written_path(field("output_filename", &export_onnx::output_filename, "Name of the file.")),
        written_path(field("debug_string_filename", &export_onnx::debug_string_filename,
                           "Name of a file for a readable form; empty: none."))};
  }
};

}  // namespace lbann::callbacks
