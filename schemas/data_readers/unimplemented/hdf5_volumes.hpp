// What `hdf5` and `cosmoflow_hdf5` have alike.
#pragma once

#include "schemas/data_readers/file_reader.hpp"

namespace lbann::data_readers {

struct hdf5_volumes : file_reader {
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
            path(field("data_file_pattern", &hdf5_volumes::data_file_pattern,
                       "Pattern of the file names.")),
            field("hdf5_key_data", &hdf5_volumes::hdf5_key_data, "Name of the data in a file."),
            field("hdf5_key_labels", &hdf5_volumes::hdf5_key_labels,
                  "Name of the labels in a file."),
            field("hdf5_key_responses", &hdf5_volumes::hdf5_key_responses,
                  "Name of the responses in a file."),
            field("hdf5_hyperslab_labels", &hdf5_volumes::hdf5_hyperslab_labels,
                  "Whether each rank reads its part of the labels only."),
            field("num_responses", &hdf5_volumes::num_responses, "Number of responses.",
                  counted_from_one),
            field("num_labels", &hdf5_volumes::num_labels, "Number of classes.", counted_from_zero),
            field("disable_labels", &hdf5_volumes::disable_labels, "Whether there are no labels."),
            field("disable_responses", &hdf5_volumes::disable_responses,
                  "Whether there are no responses."),
            field("scaling_factor_int16", &hdf5_volumes::scaling_factor_int16,
                  "Factor of 16-bit integers.")});
  }
};

}  // namespace lbann::data_readers
