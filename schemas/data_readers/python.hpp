// Samples from functions of a Python module, run in processes of their own.
#pragma once

#include "schemas/data_readers/python_processes.hpp"

namespace lbann::data_readers {

/// Gives the fields named in `data_fields`; LBANN's modules give `samples` alone. The functions:
/// `num_samples()`; `sample_dims()`, sizes of one sample; `get_sample(number)`, its numbers in C
/// order: an array or lists of lists of these sizes, but for axes of size 1, or all of them in one
/// list. With several fields the latter two give a mapping of names, or a sequence in the order of
/// `data_fields`.
struct python : python_processes {
  static constexpr std::string_view name = "python";
  static constexpr std::string_view summary = "Samples from functions of a Python module.";

  std::string module;
  std::string module_dir;
  std::string sample_function = "get_sample";
  std::string num_samples_function = "num_samples";
  std::string sample_dims_function = "sample_dims";
  std::vector<std::string> data_fields = {"samples"};

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{field("module", &python::module, "Name of the module.", Presence::required),
                   path(field("module_dir", &python::module_dir,
                              "Folder of the module; empty: the working directory.")),
                   field("sample_function", &python::sample_function,
                         "Function that gives the sample of a number."),
                   field("num_samples_function", &python::num_samples_function,
                         "Function that gives the number of samples."),
                   field("sample_dims_function", &python::sample_dims_function,
                         "Function that gives the dims of a sample."),
                   field("data_fields", &python::data_fields, "Data fields that a sample has.")},
        process_fields());
  }

  std::optional<FieldConflict> conflict() const {
    if (data_fields.empty()) return FieldConflict{"data_fields", "a sample has at least one field"};
    return std::nullopt;
  }

  std::vector<GivenField> gives() const {
    std::vector<GivenField> given;
    for (auto const& data_field : data_fields) given.push_back({data_field, {}});
    return given;
  }
};

}  // namespace lbann::data_readers
