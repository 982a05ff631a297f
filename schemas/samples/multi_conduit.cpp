// Files by a pattern, one after the other.
#include "schemas/samples/conduit_files.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::multi_conduit const& reader,
                                     OpenContext const& context) {
  RecordTerms const terms(reader, "`data_set_metadata` is", context);
  std::vector<std::string> tells;
  for (auto const& field : terms.fields) tells.push_back(field.name);
  auto source = source_of_files(
      "data_file_pattern", reader.data_filedir,
      context.places.match(reader.data_filedir, reader.data_file_pattern), std::move(tells),
      [terms](std::vector<std::string> const& found) { return open_conduit_files(terms, found); });
  source.are_parts = true;
  return {source};
}

}  // namespace lbann
