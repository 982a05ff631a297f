// Data reader `python`, declared but not built.
#pragma once

#include "schemas/data_readers/reader.hpp"

namespace lbann::data_readers {

struct python : reader {
  static constexpr std::string_view name = "python";
  static constexpr std::string_view summary = "Samples from functions of a Python module.";
  static constexpr Support support = Support::unbuilt;

  std::string module;
  std::string module_dir;
  std::string sample_function = "get_sample";
  std::string num_samples_function = "num_samples";
  std::string sample_dims_function = "sample_dims";

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{field("module", &python::module, "Name of the module.", Presence::required),
                   field("module_dir", &python::module_dir, "Folder of the module."),
                   field("sample_function", &python::sample_function,
                         "Function that gives the sample of a number."),
                   field("num_samples_function", &python::num_samples_function,
                         "Function that gives the number of samples."),
                   field("sample_dims_function", &python::sample_dims_function,
                         "Function that gives the dims of a sample.")});
  }

  std::vector<GivenField> gives() const { return {{"samples", {}}}; }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
