// Files by a pattern or by a list.
#include <filesystem>

#include "schemas/samples/conduit_files.hpp"
#include "schemas/samples/file_list.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::jag_conduit_hdf5 const& reader,
                                     OpenContext const& context) {
  RecordTerms const terms(reader, "`data_set_metadata` is", context);
  std::vector<std::string> tells;
  for (auto const& field : terms.fields) tells.push_back(field.name);
  if (reader.data_filename.empty()) {
    std::filesystem::path const path(reader.data_filedir);
    auto const folder = path.parent_path().string();
    auto source = source_of_files("data_filedir", folder,
                                  context.places.match(folder, path.filename().string()), tells,
                                  [terms](std::vector<std::string> const& found) {
                                    return open_conduit_files(terms, found);
                                  });
    source.are_parts = true;
    source.folder = folder;
    return {source};
  }
  return {source_of_file("data_filename", {}, reader.data_filename, tells,
                         [=, places = context.places](std::string const& found) -> OpenedSamples {
                           auto const list = FileList::of(reader, found);
                           if (!list) return list.problem();
                           auto const paths = list.value().find_all(places);
                           if (!paths) return absent_samples(terms.fields, paths.problem());
                           return open_conduit_files(terms, paths.value());
                         })};
}

}  // namespace lbann
