// Sources of a reader, as fields that all readers have change them.
#pragma once

#include "schemas/samples/list.hpp"

namespace lbann {

/// What the samples of `reader` are opened from: `max_files_to_load` and `data_local_filedir` act.
template <class Reader>
std::vector<SampleSource> reader_sources(Reader const& reader, OpenContext const& context) {
  auto sources = sources_of(reader, context);
  for (auto& source : sources) {
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
