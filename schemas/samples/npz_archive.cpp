// A zip archive of .npy files.
#include "schemas/samples/npz_archive.hpp"

namespace lbann {

namespace {

constexpr std::string_view array_ending = ".npy";

ReadBytes reads_archive(DataFile const& file) {
  return [&file](std::int64_t begin, std::int64_t count) { return file.bytes(begin, count); };
}

Result<NpyFile> open_array(DataFile const& archive, ZipEntry const& entry,
                           std::string const& name) {
  auto const begin = find_zip_data(entry, archive.size(), reads_archive(archive));
  if (!begin) return archive.problem(begin.problem().message);
  auto array = open_npy_file(archive.part(archive.name() + "[" + name + "]",
                                          entry.deflated ? Packing::deflate : Packing::none,
                                          begin.value(), entry.packed));
  if (!array) return array;
  if (array.value().bytes() != entry.size)
    return array.value().file.problem("its header promises " +
                                      std::to_string(array.value().bytes()) + " bytes, " +
                                      std::to_string(entry.size) + " are announced in the archive");
  array.value().checksum = entry.check;
  return array;
}

}  // namespace

Result<NpzArchive> NpzArchive::open(std::string const& path) {
  auto file = DataFile::open(path);
  if (!file) return file.problem();
  auto entries = read_zip_directory(file.value().size(), reads_archive(file.value()));
  if (!entries) return file.value().problem(entries.problem().message);
  return NpzArchive(std::move(file).value(), std::move(entries).value());
}

std::vector<std::string> NpzArchive::names() const {
  std::vector<std::string> names;
  for (auto const& entry : entries_)
    if (entry.name.ends_with(array_ending))
      names.push_back(entry.name.substr(0, entry.name.size() - array_ending.size()));
  return names;
}

Result<std::optional<NpyFile>> NpzArchive::array(std::string_view name) const {
  for (auto const& entry : entries_) {
    if (entry.name != std::string(name) + std::string(array_ending)) continue;
    auto array = open_array(file_, entry, std::string(name));
    if (!array) return array.problem();
    return std::optional(std::move(array).value());
  }
  return std::optional<NpyFile>();
}

}  // namespace lbann
