// Data reader `cosmoflow_hdf5`, declared but not built.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct cosmoflow_hdf5 : file_reader {
  static constexpr std::string_view name = "cosmoflow_hdf5";
  static constexpr std::string_view summary =
      "Volumes of CosmoFlow from HDF5 files, read in parallel.";
  static constexpr Support support = Support::unbuilt;

  std::string data_file_pattern;
  std::string hdf5_key_data = "full";
  std::string hdf5_key_labels;
  std::string hdf5_key_responses = "unitPar";
  bool hdf5_hyperslab_labels = false;
  std::int64_t num_responses = 4;
  std::int64_t num_labels = 0;
  bool disable_labels = false;
  bool disable_responses = false;
  double scaling_factor_int16 = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        file_fields(),
        std::tuple{
            field("data_file_pattern", &cosmoflow_hdf5::data_file_pattern,
                  "Pattern of the file names."),
            field("hdf5_key_data", &cosmoflow_hdf5::hdf5_key_data, "Name of the data in a file."),
            field("hdf5_key_labels", &cosmoflow_hdf5::hdf5_key_labels,
                  "Name of the labels in a file."),
            field("hdf5_key_responses", &cosmoflow_hdf5::hdf5_key_responses,
                  "Name of the responses in a file."),
            field("hdf5_hyperslab_labels", &cosmoflow_hdf5::hdf5_hyperslab_labels,
                  "Whether each rank reads its part of the labels only."),
            field("num_responses", &cosmoflow_hdf5::num_responses, "Number of responses.",
                  at_least_one),
            field("num_labels", &cosmoflow_hdf5::num_labels, "Number of classes.", at_least_zero),
            field("disable_labels", &cosmoflow_hdf5::disable_labels,
                  "Whether there are no labels."),
            field("disable_responses", &cosmoflow_hdf5::disable_responses,
                  "Whether there are no responses."),
            field("scaling_factor_int16", &cosmoflow_hdf5::scaling_factor_int16,
                  "Factor of 16-bit integers.")});
  }

  std::vector<GivenField> gives() const {
    return {{"samples", {}}, {"labels", {}}, {"responses", {}}};
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
