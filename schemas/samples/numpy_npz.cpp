// The three arrays of an .npz file.
#include "schemas/data_formats/zip_directory.hpp"
#include "schemas/samples/joined_samples.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/samples/numpy_samples.hpp"

namespace lbann {

namespace {

/// The array of this name in the archive; nothing if there is none.
Result<std::optional<NpyFile>> open_member(DataFile const& archive,
                                           std::vector<ZipEntry> const& entries,
                                           std::string const& name, ReadBytes const& read) {
  for (auto const& entry : entries) {
    if (entry.name != name + ".npy") continue;
    auto const begin = find_zip_data(entry, archive.size(), read);
    if (!begin) return archive.problem(begin.problem().message);
    auto array = open_npy_file(archive.part(archive.name() + "[" + name + "]",
                                            entry.deflated ? Packing::deflate : Packing::none,
                                            begin.value(), entry.packed));
    if (!array) return array.problem();
    if (array.value().bytes() != entry.size)
      return array.value().file.problem(
          "its header promises " + std::to_string(array.value().bytes()) + " bytes, " +
          std::to_string(entry.size) + " are announced in the archive");
    array.value().checksum = entry.check;
    return std::optional(std::move(array).value());
  }
  return std::optional<NpyFile>();
}

OpenedSamples open_archive(data_readers::numpy_npz const& reader, std::string const& path) {
  auto const archive = DataFile::open(path);
  if (!archive) return archive.problem();
  auto const& file = archive.value();
  ReadBytes const read = [&](std::int64_t begin, std::int64_t count) {
    return file.bytes(begin, count);
  };
  auto const entries = read_zip_directory(file.size(), read);
  if (!entries) return file.problem(entries.problem().message);
  JoinedSamples joined;
  auto const add = [&](std::string const& name, ArrayContent content) -> Result<Success> {
    auto opened = open_member(file, entries.value(), name, read);
    if (!opened) return opened.problem();
    // A file without labels or responses is good as long as nobody asks for them.
    if (!opened.value() && content != ArrayContent::samples) return Success{};
    if (!opened.value()) return file.problem("it holds no array `" + name + "`");
    auto& array = *opened.value();
    auto const member = array.file;
    bool const scaled = content == ArrayContent::samples && array.number == NpyNumber::i2;
    auto samples = numpy_samples(std::move(array), content,
                                 scaled ? reader.scaling_factor_int16 : 1, reader.num_labels);
    if (!samples) return samples.problem();
    auto added = joined.add(std::move(samples).value());
    return added ? added : member.problem(added.problem().message);
  };
  if (auto added = add("data", ArrayContent::samples); !added) return added.problem();
  if (!reader.disable_labels)
    if (auto added = add("labels", ArrayContent::labels); !added) return added.problem();
  if (!reader.disable_responses)
    if (auto added = add("responses", ArrayContent::responses); !added) return added.problem();
  return JoinedSamples::single(std::move(joined));
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::numpy_npz const& reader, OpenContext const&) {
  std::vector<std::string> tells{"samples"};
  if (!reader.disable_responses) tells.push_back("responses");
  return {source_of_file("data_filename", reader.data_filedir, reader.data_filename,
                         std::move(tells),
                         [=](std::string const& path) { return open_archive(reader, path); })};
}

}  // namespace lbann
