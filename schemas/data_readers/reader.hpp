// What all data readers have in common: role, choice and order of samples, and what they give.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schemas/transforms/list.hpp"
#include "schemas/vocabulary/counts.hpp"
#include "schemas/vocabulary/execution_mode.hpp"
#include "schemas/vocabulary/field.hpp"

namespace lbann {

template <>
inline constexpr auto enum_names<ExecutionMode> = reader_role_names;

namespace data_readers {

/// A data field a reader gives; `dims` is empty where only the data can tell, or what
/// `unknown_because` names.
struct GivenField {
  std::string name;
  std::vector<std::int64_t> dims;
  std::string unknown_because = {};
};

/// Fields of a reader that contradict each other: one of them, and what is wrong. A reader that
/// can have some declares `std::optional<FieldConflict> conflict() const`.
struct FieldConflict {
  std::string_view field;
  std::string words;
};

/// Whether a reader takes a sample list.
enum class SampleListUse { none, optional, required };

/// Samples of a reader, at most: a run keeps their order in memory.
inline constexpr std::int64_t most_samples = std::int64_t{1} << 36;

/// The field `labels` of `num_labels` classes, one-hot; 0: nobody has said how many.
inline GivenField given_labels(std::int64_t num_labels) {
  if (num_labels > 0) return {"labels", {num_labels}};
  return {"labels", {}, "the reader's `num_labels`, the number of classes, is not given"};
}

/// A part of some samples, rounded down.
inline std::int64_t part_of_samples(double fraction, std::int64_t whole) {
  // 0.29 * 100 is 28.999999999999996: truncation alone would lose a sample.
  return static_cast<std::int64_t>(fraction * static_cast<double>(whole) + 1e-6);
}

/// Base of every reader. Order of operations: read those of `sample_range`, shuffle once if
/// `shuffle`, keep `absolute_sample_count` or `fraction_of_data_to_use`, cut `validation_fraction`
/// off the tail, then `tournament_fraction`.
struct reader {
  /// Whether opening its samples runs a user's program: the compiler does so only if told to.
  static constexpr bool runs_user_code = false;

  ExecutionMode role = ExecutionMode::training;
  bool shuffle = false;
  std::vector<std::int64_t> sample_range;
  double validation_fraction = 0;
  std::int64_t absolute_sample_count = 0;
  double fraction_of_data_to_use = 1;
  double tournament_fraction = 0;
  std::string data_local_filedir;
  std::string sample_list;
  bool sample_list_per_trainer = false;
  bool sample_list_per_model = false;
  bool sample_list_keep_order = false;
  std::int64_t max_files_to_load = 0;
  bool gan_labelling = false;
  std::int64_t gan_label_value = 0;

  /// How many of `count` samples are used.
  std::int64_t used(std::int64_t count) const {
    return absolute_sample_count > 0 ? absolute_sample_count
                                     : part_of_samples(fraction_of_data_to_use, count);
  }
  /// How many of `count` samples a train reader leaves for training, if none share data.
  std::int64_t trained_on(std::int64_t count) const {
    auto const all = used(count);
    return all - part_of_samples(validation_fraction, all) -
           part_of_samples(tournament_fraction, all);
  }

  template <SampleListUse use>
  static constexpr auto shared_fields() {
    constexpr bool must_list = use == SampleListUse::required;
    constexpr auto if_taken = [](auto field) {
      if (use == SampleListUse::none) field.support = Support::unimplemented;
      return field;
    };
    constexpr auto if_used = [](auto field) {
      if constexpr (must_list)
        return ignored(field, "the sample list names the files");
      else
        return field;
    };
    return std::tuple{
        field("role", &reader::role, "What the samples are for.", Presence::required),
        field("shuffle", &reader::shuffle, "Whether each epoch has an order of its own."),
        field("sample_range", &reader::sample_range,
              "The first sample to use and the one behind the last, from 0 and in the order of the "
              "data: `[0, 800]` and, held out of the same file, `[800, 1000]`. Left out: all.",
              counted_from_zero),
        field("validation_fraction", &reader::validation_fraction,
              "Part of the samples of a train reader held back for validation.", zero_to_below_one),
        field("absolute_sample_count", &reader::absolute_sample_count,
              "Number of samples to use; 0 leaves it to `fraction_of_data_to_use`.",
              counted_from_zero),
        field("fraction_of_data_to_use", &reader::fraction_of_data_to_use,
              "Part of the samples to use.", above_zero_to_one),
        field("tournament_fraction", &reader::tournament_fraction,
              "Part of the samples of a train reader held back for tournaments.",
              zero_to_below_one),
        path(field(
            "data_local_filedir", &reader::data_local_filedir,
            "Folder on the node, with copies of files of `data_filedir`: those that are there "
            "are read there.")),
        if_taken(
            path(field("sample_list", &reader::sample_list, "File that lists the samples to use.",
                       must_list ? Presence::required : Presence::optional))),
        if_taken(field("sample_list_per_trainer", &reader::sample_list_per_trainer,
                       "Whether each trainer has a sample list of its own, whose name begins with "
                       "`t<number of the trainer>_`.")),
        if_taken(field("sample_list_per_model", &reader::sample_list_per_model,
                       "The same, as a trainer has one model.")),
        ignored(field("sample_list_keep_order", &reader::sample_list_keep_order,
                      "Keep the order of the list on every rank."),
                "samples keep their order unless `shuffle` is on"),
        if_used(
            field("max_files_to_load", &reader::max_files_to_load,
                  "Most files to read where samples lie in several, the first ones in order; 0: "
                  "all.",
                  counted_from_zero)),
        field("gan_labelling", &reader::gan_labelling,
              "Whether `labels` say by a sample's place in the mini-batch which of two classes it "
              "is of, instead of what the data say."),
        field("gan_label_value", &reader::gan_label_value,
              "With `gan_labelling`, 1: all samples are of class 1; 0: those of the first half of "
              "each mini-batch are, and the others of class 0.",
              zero_to_one)};
  }

  static constexpr auto common_fields() { return shared_fields<SampleListUse::none>(); }
  /// The same of a reader that must be given a sample list.
  static constexpr auto list_fields() { return shared_fields<SampleListUse::required>(); }
  /// The same of a reader that takes samples from a sample list or from elsewhere.
  static constexpr auto optional_list_fields() { return shared_fields<SampleListUse::optional>(); }

  /// What such a reader says where both or neither of `field`, the other origin, and the list are
  /// given.
  std::optional<FieldConflict> list_conflict(std::string_view field, bool given) const {
    bool const listed = !sample_list.empty();
    if (given == listed)
      return FieldConflict{field, given ? "`sample_list` names the samples already"
                                        : "neither it nor `sample_list` is given"};
    if (!listed && sample_list_per_trainer)
      return FieldConflict{"sample_list_per_trainer", "there is no `sample_list`"};
    if (!listed && sample_list_per_model)
      return FieldConflict{"sample_list_per_model", "there is no `sample_list`"};
    if (listed && max_files_to_load > 0)
      return FieldConflict{"max_files_to_load", "`sample_list` names the files"};
    return std::nullopt;
  }

  static constexpr auto parts() {
    return std::tuple{Transforms{"transforms", "Changes of each sample, in their order."}};
  }
};

}  // namespace data_readers
}  // namespace lbann
