// Lists are read whole: they are kept whole.
#include "schemas/samples/sample_list_file.hpp"

#include <filesystem>

#include "schemas/samples/data_file.hpp"

namespace lbann {

std::string sample_list_path(data_readers::reader const& reader, std::int64_t trainer) {
  if (!reader.sample_list_per_trainer && !reader.sample_list_per_model) return reader.sample_list;
  std::filesystem::path const path(reader.sample_list);
  return (path.parent_path() / ("t" + std::to_string(trainer) + "_" + path.filename().string()))
      .string();
}

Result<SampleList> read_sample_list(std::string const& path) {
  auto const file = DataFile::open(path);
  if (!file) return file.problem();
  auto const text = file.value().text();
  if (!text) return text.problem();
  return SampleList::parse(text.value(), path);
}

}  // namespace lbann
