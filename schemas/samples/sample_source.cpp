// Names of files as messages call them.
#include "schemas/samples/sample_source.hpp"

namespace lbann {

std::int64_t OpenContext::wanted_elements(std::string_view field) const {
  if (!wanted) return -1;
  auto const found = std::ranges::find(*wanted, field, &data_readers::GivenField::name);
  return found == wanted->end() ? -1 : elements_of(found->dims);
}

Result<std::string> SampleSource::find(std::string const& path, DataPlaces const& places) const {
  if (are_folders) return places.find_folder(path);
  auto const prefix = path_in(folder, {});
  if (!local_folder.empty() && path.starts_with(prefix))
    if (auto local = places.find_file(path_in(local_folder, path.substr(prefix.size()))))
      return local;
  return places.find_file(path);
}

SampleSource source_of_files(
    std::string field, std::string const& folder, std::vector<std::string> const& names,
    std::vector<std::string> tells,
    std::function<OpenedSamples(std::vector<std::string> const& found)> open) {
  SampleSource source{std::move(field), {}, {}, std::move(tells), {}, std::move(open), false};
  for (auto const& name : names) {
    source.paths.push_back(path_in(folder, name));
    source.name += (source.name.empty() ? "" : ", ") + source.paths.back();
  }
  source.told_by = "`" + source.name + "` holds samples of";
  return source;
}

SampleSource source_of_file(std::string field, std::string const& folder, std::string const& name,
                            std::vector<std::string> tells,
                            std::function<OpenedSamples(std::string const& found)> open) {
  return source_of_files(
      std::move(field), folder, {name}, std::move(tells),
      [open = std::move(open)](std::vector<std::string> const& found) { return open(found[0]); });
}

SampleSource source_of_folder(std::string field, std::string const& folder,
                              std::vector<std::string> tells,
                              std::function<OpenedSamples(std::string const& found)> open) {
  auto source = source_of_file(std::move(field), {}, folder, std::move(tells), std::move(open));
  source.are_folders = true;
  return source;
}

SampleSource source_of_nothing(std::function<OpenedSamples()> open) {
  return {{},   {}, {},
          {},   {}, [open = std::move(open)](std::vector<std::string> const&) { return open(); },
          false};
}

}  // namespace lbann
