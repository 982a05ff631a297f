// Arrays in a file of NumPy's .npz format.
#pragma once

#include "schemas/data_readers/reader.hpp"
#include "schemas/vocabulary/named_texts.hpp"

namespace lbann::data_readers {

/// Gives of the arrays `data`, `labels` and `responses` in the file, or of those that `arrays`
/// names: `samples` (16-bit integers times `scaling_factor_int16`), `labels` (class numbers, given
/// one-hot), `responses` and any other field. The first axis of each counts samples.
struct numpy_npz : reader {
  static constexpr std::string_view name = "numpy_npz";
  static constexpr std::string_view summary = "Samples, labels and responses from an .npz file.";

  std::string data_filedir;
  std::string data_filename;
  std::vector<std::string> arrays;
  std::int64_t num_labels = 0;
  bool disable_labels = false;
  bool disable_responses = false;
  double scaling_factor_int16 = 1;

  static constexpr auto fields() {
    return std::tuple_cat(
        common_fields(),
        std::tuple{
            path(field("data_filedir", &numpy_npz::data_filedir, "Folder of the file.")),
            path(field("data_filename", &numpy_npz::data_filename, ".npz file, compressed or not.",
                       Presence::required)),
            pairs(field("arrays", &numpy_npz::arrays,
                        "The array of each data field: `{samples: x_train, labels: y_train}`. Left "
                        "out: data, labels and responses."),
                  "="),
            field("num_labels", &numpy_npz::num_labels,
                  "Number of classes; needed where `labels` are used.", counted_from_zero),
            field("disable_labels", &numpy_npz::disable_labels, "Whether there are no labels."),
            field("disable_responses", &numpy_npz::disable_responses,
                  "Whether there are no responses."),
            field("scaling_factor_int16", &numpy_npz::scaling_factor_int16,
                  "Factor of samples that are 16-bit integers.")});
  }

  /// The array of each field.
  NamedTexts arrays_of_fields() const {
    if (!arrays.empty()) return NamedTexts::of_list(arrays).value_or(NamedTexts{});
    NamedTexts usual{{{"samples", {"data"}}}};
    if (!disable_labels) usual.add("labels", "labels");
    if (!disable_responses) usual.add("responses", "responses");
    return usual;
  }

  std::optional<FieldConflict> conflict() const {
    auto const named = NamedTexts::of_list(arrays);
    if (!named) return FieldConflict{"arrays", "each is a data field and an array: `samples=x`"};
    for (auto const& [field, names] : named->entries)
      if (names.size() != 1)
        return FieldConflict{"arrays", "`" + field + "` is one array, not several"};
    if (arrays.empty() || (!disable_labels && !disable_responses)) return std::nullopt;
    return FieldConflict{disable_labels ? "disable_labels" : "disable_responses",
                         "`arrays` says which fields there are"};
  }

  std::vector<GivenField> gives() const {
    std::vector<GivenField> fields;
    for (auto const& [field, names] : arrays_of_fields().entries)
      fields.push_back(field == "labels" ? given_labels(num_labels) : GivenField{field, {}});
    return fields;
  }
  std::int64_t samples() const { return -1; }
};

}  // namespace lbann::data_readers
