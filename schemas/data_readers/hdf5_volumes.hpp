// What `hdf5` and `cosmoflow_hdf5` have alike.
#pragma once

#include "schemas/data_readers/reader.hpp"
#include "schemas/vocabulary/named_texts.hpp"

namespace lbann::data_readers {

/// Gives of the datasets with these names in each file: `samples` (16-bit integers times
/// `scaling_factor_int16`), `labels` and `responses`, or the fields of `datasets`. As in LBANN a
/// file is one sample; else the first axis of each dataset counts the samples of the file.
struct hdf5_volumes : reader {
  std::string data_filedir;
  std::string data_file_pattern;
  std::vector<std::string> datasets;
  std::string hdf5_key_data = "full";
  std::string hdf5_key_labels;
  std::string hdf5_key_responses = "unitPar";
  bool hdf5_hyperslab_labels = false;
  bool one_sample_per_file = true;
  std::int64_t num_responses = 0;
  std::int64_t num_labels = 0;
  bool disable_labels = false;
  bool disable_responses = false;
  double scaling_factor_int16 = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &hdf5_volumes::data_filedir, "Folder of the files.")),
            path(field("data_file_pattern", &hdf5_volumes::data_file_pattern,
                       "Path of the files, `*` for any characters and `?` for one in their name; "
                       "they are read in the order of their names.",
                       Presence::required)),
            pairs(field("datasets", &hdf5_volumes::datasets,
                        "The dataset of each data field: `{images: x, energies: group/e}`. Left "
                        "out: those that `hdf5_key_data` and its like name."),
                  "="),
            field("hdf5_key_data", &hdf5_volumes::hdf5_key_data,
                  "Dataset of the samples in each file, e.g. `group/name`."),
            field("hdf5_key_labels", &hdf5_volumes::hdf5_key_labels,
                  "Dataset of the labels in each file; empty: there are none."),
            field("hdf5_key_responses", &hdf5_volumes::hdf5_key_responses,
                  "Dataset of the responses in each file; empty: there are none."),
            field("hdf5_hyperslab_labels", &hdf5_volumes::hdf5_hyperslab_labels,
                  "Whether labels are values as those of samples, such as a segmentation, and no "
                  "class numbers; `label_reconstruction` gives them too."),
            field("one_sample_per_file", &hdf5_volumes::one_sample_per_file,
                  "Whether each dataset is a single sample; else its first axis counts samples."),
            field("num_responses", &hdf5_volumes::num_responses,
                  "Number of responses of a sample; 0: as many as there are.", counted_from_zero),
            field("num_labels", &hdf5_volumes::num_labels,
                  "Number of classes; needed where `labels` are class numbers that are used.",
                  counted_from_zero),
            field("disable_labels", &hdf5_volumes::disable_labels, "Whether there are no labels."),
            field("disable_responses", &hdf5_volumes::disable_responses,
                  "Whether there are no responses."),
            field("scaling_factor_int16", &hdf5_volumes::scaling_factor_int16,
                  "Factor of samples that are 16-bit integers.")});
  }

  /// The dataset of each field.
  NamedTexts datasets_of_fields() const {
    if (!datasets.empty()) return NamedTexts::of_list(datasets).value_or(NamedTexts{});
    NamedTexts usual{{{"samples", {hdf5_key_data}}}};
    if (!disable_labels && !hdf5_key_labels.empty()) {
      usual.add("labels", hdf5_key_labels);
      if (hdf5_hyperslab_labels) usual.add("label_reconstruction", hdf5_key_labels);
    }
    if (!disable_responses && !hdf5_key_responses.empty())
      usual.add("responses", hdf5_key_responses);
    return usual;
  }

  std::optional<FieldConflict> conflict() const {
    auto const named = NamedTexts::of_list(datasets);
    if (!named) return FieldConflict{"datasets", "each is a data field and a dataset: `samples=x`"};
    for (auto const& [field, names] : named->entries)
      if (names.size() != 1)
        return FieldConflict{"datasets", "`" + field + "` is one dataset, not several"};
    if (datasets.empty()) return std::nullopt;
    for (auto const& [given, name] : {std::pair{disable_labels, "disable_labels"},
                                      {disable_responses, "disable_responses"},
                                      {!hdf5_key_labels.empty(), "hdf5_key_labels"}})
      if (given) return FieldConflict{name, "`datasets` says which fields there are"};
    return std::nullopt;
  }

  std::vector<GivenField> gives() const {
    std::vector<GivenField> fields;
    for (auto const& [field, names] : datasets_of_fields().entries)
      if (field == "labels" && !hdf5_hyperslab_labels)
        fields.push_back(given_labels(num_labels));
      else if (field == "responses" && num_responses > 0)
        fields.push_back({field, {num_responses}});
      else
        fields.push_back({field, {}});
    return fields;
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
