// Every source of a reader is found, opened and joined with those before it.
#include "schemas/samples/open_samples.hpp"

#include <algorithm>

#include "schemas/samples/joined_samples.hpp"
#include "schemas/samples/reader_sources.hpp"
#include "schemas/samples/sample_range.hpp"

namespace lbann {

namespace {

template <class Reader>
OpenedSamples open_any(Reader const& reader, OpenContext const& context) {
  if constexpr (requires { reader.conflict(); })
    if (auto const conflict = reader.conflict()) return Problem{conflict->words};
  JoinedSamples joined;
  for (auto const& source : reader_sources(reader, context)) {
    std::vector<std::string> found;
    for (auto const& path : source.paths) {
      auto place = source.find(path, context.places);
      if (!place) return place.problem();
      found.push_back(std::move(place).value());
    }
    auto opened = source.open(found);
    if (!opened) return opened.problem();
    if (auto added = joined.add(std::move(opened).value()); !added)
      return Problem{"`" + found.front() + "`: " + added.problem().message};
  }
  auto samples = JoinedSamples::single(std::move(joined));
  if (reader.gan_labelling) samples = with_gan_labels(std::move(samples), reader.gan_label_value);
  return in_range(std::move(samples), reader.sample_range);
}

template <class Reader>
FileOfSamples find_file_of_samples(Reader const& reader, OpenContext const& context) {
  auto const sources = sources_of(reader, context);
  auto found = std::ranges::find_if(sources, [](SampleSource const& source) {
    return std::ranges::find(source.tells, "samples") != source.tells.end();
  });
  if (found == sources.end()) found = sources.begin();
  if (found == sources.end() || found->paths.empty()) return {};
  if constexpr (requires { reader.data_filedir; }) {
    if constexpr (requires { reader.data_filename; })
      return {found->field, found->paths[0] != reader.data_filename};
    return {found->field, found->field != "data_filedir"};
  }
  return {found->field, false};
}

template <std::size_t... numbers>
std::optional<DataReader> find_reader(DataSource const& source, std::index_sequence<numbers...>) {
  std::optional<DataReader> found;
  auto const attempt = [&](auto known) {
    if (!known) return;
    using Reader = typename decltype(known)::value_type;
    if constexpr (std::is_base_of_v<data_readers::hdf5_records, Reader>)
      for (auto const& dataset : source.datasets)
        if (auto read = from_record<data_readers::hdf5_dataset>(dataset.record))
          known->datasets.push_back(*std::move(read));
    found = *std::move(known);
  };
  (attempt(from_record<std::variant_alternative_t<numbers, DataReader>>(source.reader.record)),
   ...);
  return found;
}

}  // namespace

std::optional<DataReader> reader_of(DataSource const& source) {
  return find_reader(source, std::make_index_sequence<std::variant_size_v<DataReader>>());
}

FileOfSamples file_of_samples(DataReader const& reader, OpenContext const& context) {
  return std::visit([&](auto const& any) { return find_file_of_samples(any, context); }, reader);
}

OpenedSamples open_samples(DataReader const& reader, OpenContext const& context) {
  return std::visit([&](auto const& any) { return open_any(any, context); }, reader);
}

OpenedSamples load_samples(DataReader const& reader, OpenContext const& context, bool checks_all) {
  auto samples = open_samples(reader, context);
  if (!samples) return samples;
  if (auto loaded = samples.value()->load(checks_all); !loaded) return loaded.problem();
  return samples;
}

}  // namespace lbann
