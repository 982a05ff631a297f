// Sources of a reader, as fields that all readers have change them.
#pragma once

#include "schemas/samples/gan_labels.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

/// What `reader` gives: `gan_labelling` acts.
template <class Reader>
std::vector<data_readers::GivenField> given_fields(Reader const& reader) {
  return reader.gan_labelling ? with_gan_labels(reader.gives()) : reader.gives();
}

/// What the samples of `reader` are opened from: `max_files_to_load`, `data_local_filedir` and
/// `gan_labelling` act.
template <class Reader>
std::vector<SampleSource> reader_sources(Reader const& reader, OpenContext const& context) {
  auto own = context;
  own.replaces_labels = reader.gan_labelling;
  auto sources = sources_of(reader, own);
  for (auto& source : sources) {
    if (reader.gan_labelling) std::erase(source.tells, "labels");
    if (auto const most = static_cast<std::size_t>(reader.max_files_to_load);
        most > 0 && source.are_parts && source.paths.size() > most)
      source.paths.resize(most);
    if constexpr (requires { reader.data_filedir; }) {
      if (source.folder.empty()) source.folder = reader.data_filedir;
      source.local_folder = reader.data_local_filedir;
    }
  }
  return sources;
}

}  // namespace lbann
