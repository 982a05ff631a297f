// Keys of each kind with their factors and summands, then the kinds in the order of the slices.
#include "compiler/experiment/probing/jag_datasets.hpp"

#include <algorithm>
#include <array>

#include "compiler/experiment/data_set_metadata.hpp"
#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

namespace {

using data_readers::hdf5_dataset;
using Keys = std::vector<std::string>;

/// `outputs/scalars/BWx` of `/outputs/scalars/` and `BWx`.
std::string path_below(std::string_view prefix, std::string_view key) {
  std::string path;
  for (auto part : {prefix, key}) {
    while (part.starts_with('/')) part.remove_prefix(1);
    while (part.ends_with('/')) part.remove_suffix(1);
    if (!part.empty()) path += (path.empty() ? "" : "/") + std::string(part);
  }
  return path;
}

class JagDatasets {
 public:
  JagDatasets(Declaration const& metadata, Declaration const& schema, KeysIn const& keys_in,
              Report& report)
      : metadata_(metadata),
        section_(schema),
        schema_(schema.as<sections::data_schema>()),
        keys_in_(keys_in),
        report_(report) {}

  std::vector<JagDataset> all() {
    add_slices("independent", "samples");
    add_slices("dependent", "responses");
    if (!wrong_ && datasets_.empty())
      complain(section_.type_span, "neither `independent` nor `dependent` says what is used");
    return wrong_ ? std::vector<JagDataset>{} : std::move(datasets_);
  }

 private:
  struct Kind {
    bool known = false;
    std::vector<JagDataset> datasets;  ///< without their field
  };

  void complain(Span place, std::string words) {
    report_.add(diagnostics::data_set_metadata, place, {std::move(words)});
    wrong_ = true;
  }

  void add_slices(std::string_view part_name, std::string const& field) {
    auto const* part = section_.find_part(part_name);
    if (part == nullptr) return;
    for (auto const& slice : part->values)
      for (auto const& piece : slice.as<sections::jag_data_slice>().pieces) {
        auto const kind = std::ranges::find(sections::jag_kinds, piece);
        if (kind == sections::jag_kinds.end()) return;  // told as it was read
        for (auto dataset : of_kind(static_cast<std::size_t>(kind - sections::jag_kinds.begin()))) {
          dataset.dataset.data_field = field;
          datasets_.push_back(std::move(dataset));
        }
      }
  }

  std::vector<JagDataset> const& of_kind(std::size_t number) {
    auto& kind = kinds_[number];
    if (kind.known) return kind.datasets;
    kind.known = true;
    if (number == 0)
      add_images(kind);
    else if (number == 1)
      add_numbers(kind, "jag_scalar", schema_.scalar_prefix, schema_.jag_scalar_keys,
                  schema_.jag_scalar_filters);
    else
      add_numbers(kind, "jag_input", schema_.input_prefix, schema_.jag_input_keys,
                  schema_.jag_input_filters);
    return kind.datasets;
  }

  void add_images(Kind& kind) {
    auto const channels = std::max<std::int64_t>(schema_.image_num_channels, 1);
    auto const place = section_.place_of("jag_image_keys");
    bool const sized = schema_.image_height > 0;
    if (schema_.jag_image_keys.empty()) complain(place, "`jag_image_keys` names no image");
    if (sized != (schema_.image_width > 0))
      complain(section_.place_of("image_height"),
               "`image_height` and `image_width` stand together or not at all");
    else if (channels > 1 && !sized)
      complain(section_.place_of("image_num_channels"),
               "images of " + std::to_string(channels) +
                   " channels need `image_height` and `image_width`");
    if (channels > 1 && !schema_.split_jag_image_channels)
      complain(section_.place_of("image_num_channels"),
               "images of " + std::to_string(channels) +
                   " channels need `split_jag_image_channels: true`");
    auto const changes = changes_of("jag_image_normalization_params", channels, "channels");
    for (auto const& key : schema_.jag_image_keys) {
      auto dataset = named(schema_.image_prefix, key);
      if (sized) {
        dataset.dims = {schema_.image_height, schema_.image_width};
        dataset.channels = channels;
        dataset.channels_last = channels > 1;
        dataset.to_channels_first = channels > 1;
      }
      for (auto const& [scale, bias] : changes) {
        dataset.scale.push_back(scale);
        dataset.bias.push_back(bias);
      }
      kind.datasets.push_back({std::move(dataset), place});
    }
  }

  /// `what` is how the names of their fields begin.
  void add_numbers(Kind& kind, std::string const& what, std::string const& prefix, Keys keys,
                   Keys const& filters) {
    auto const place = section_.place_of(what + "_keys");
    if (keys.empty()) {
      auto found = keys_in_(path_below(prefix, {}));
      if (!found)
        return complain(place, "`" + what +
                                   "_keys` is empty, which means all that the first "
                                   "sample has, and that cannot be looked at: " +
                                   found.problem().message);
      keys = std::move(found).value();
      std::erase_if(keys, [&](std::string const& key) {
        return std::ranges::find(filters, key) != filters.end() ||
               has_left_out_prefix(what + "_prefix_filters", key);
      });
      if (keys.empty()) complain(place, "`" + prefix + "` has no number that is not left out");
    }
    auto const changes =
        changes_of(what + "_normalization_params", std::ssize(keys), "keys of `" + what + "_keys`");
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto dataset = named(prefix, keys[i]);
      dataset.dims = {1};
      if (!changes.empty()) {
        dataset.scale = {changes[i].scale};
        dataset.bias = {changes[i].bias};
      }
      kind.datasets.push_back({std::move(dataset), place});
    }
  }

  static hdf5_dataset named(std::string const& prefix, std::string const& key) {
    hdf5_dataset dataset;
    dataset.path = path_below(prefix, key);
    dataset.packed = true;
    return dataset;
  }

  bool has_left_out_prefix(std::string const& part_name, std::string const& key) const {
    auto const* part = section_.find_part(part_name);
    return part != nullptr && std::ranges::any_of(part->values, [&](Declaration const& filter) {
             auto const& [begin, least] = filter.as<sections::jag_key_prefix_filter>();
             return std::ssize(key) >= least && key.starts_with(begin);
           });
  }

  /// Factor and summand of each of `count` things; none where there are none, or as many as do not
  /// fit.
  std::vector<sections::jag_linear_normalization> changes_of(std::string const& part_name,
                                                             std::int64_t count,
                                                             std::string const& things) {
    std::vector<sections::jag_linear_normalization> changes;
    auto const* normalization = metadata_.find_part("normalization");
    if (normalization == nullptr || normalization->values.empty()) return changes;
    auto const* part = normalization->values.front().find_part(part_name);
    if (part == nullptr || part->values.empty()) return changes;
    if (std::ssize(part->values) != count) {
      complain(part->key_span, "`" + part_name + "` has " + std::to_string(part->values.size()) +
                                   " entries for " + std::to_string(count) + " " + things);
      return changes;
    }
    for (auto const& value : part->values)
      changes.push_back(value.as<sections::jag_linear_normalization>());
    return changes;
  }

  Declaration const& metadata_;
  Declaration const& section_;
  sections::data_schema const& schema_;
  KeysIn const& keys_in_;
  Report& report_;
  bool wrong_ = false;
  std::array<Kind, 3> kinds_;  ///< as `jag_kinds`
  std::vector<JagDataset> datasets_;
};

}  // namespace

std::vector<JagDataset> jag_datasets(Declaration const& metadata, KeysIn const& keys_in,
                                     Report& report) {
  auto const* schema = metadata.find_part("schema");
  if (schema == nullptr || schema->values.empty()) {
    report.add(diagnostics::data_set_metadata, metadata.type_span, {"it has no `schema`"});
    return {};
  }
  return JagDatasets(metadata, schema->values.front(), keys_in, report).all();
}

}  // namespace lbann::compiler
