// The three arrays of an .npz file.
#include "runtime/data/numpy_samples.hpp"
#include "schemas/data_formats/zip_directory.hpp"

namespace lbann::runtime {

namespace {

/// The array of this name in the archive; nothing if there is none.
Result<std::optional<NpyFile>> read_member(DataFile const& archive,
                                           std::vector<ZipEntry> const& entries,
                                           std::string const& name, ReadBytes const& read,
                                           bool checks_whole_files) {
  for (auto const& entry : entries) {
    if (entry.name != name + ".npy") continue;
    auto const begin = find_zip_data(entry, archive.size(), read);
    if (!begin) return archive.problem(begin.problem().message);
    auto member = archive.part(archive.name() + "[" + name + "]", begin.value(), entry.packed);
    if (entry.deflated) {
      auto unpacked = member.inflate(entry.size, entry.check, npy_size);
      if (!unpacked) return unpacked.problem();
      member = std::move(unpacked).value();
    } else if (member.in_memory() || checks_whole_files) {
      if (auto good = member.check(entry.check); !good) return good.problem();
    }
    auto array = read_npy_file(std::move(member));
    if (!array) return array.problem();
    if (array.value().dims.empty())
      return array.value().file.problem("it has no axis that counts samples");
    return std::optional(std::move(array).value());
  }
  return std::optional<NpyFile>();
}

}  // namespace

OpenedSamples open_samples(data_readers::numpy_npz const& reader, Lookup const& lookup) {
  auto const path = lookup.find(reader.data_filedir, reader.data_filename);
  if (!path) return path.problem();
  auto const archive = DataFile::open(path.value());
  if (!archive) return archive.problem();
  auto const& file = archive.value();
  ReadBytes const read = [&](std::int64_t begin, std::int64_t count) {
    return file.bytes(begin, count);
  };
  auto const entries = read_zip_directory(file.size(), read);
  if (!entries) return file.problem(entries.problem().message);
  auto data = read_member(file, entries.value(), "data", read, lookup.checks_whole_files);
  if (!data) return data.problem();
  if (!data.value()) return file.problem("it holds no array `data`");
  NumpyArrays arrays{std::move(*data.value()), {}, {}, LastNumber::of_sample, 1};
  if (arrays.data.number == NpyNumber::i2) arrays.scale = reader.scaling_factor_int16;
  auto const count = arrays.data.dims[0];
  auto const add = [&](std::string const& name, bool disabled,
                       std::optional<NpyFile>& to) -> Result<Success> {
    if (disabled) return Success{};
    auto array = read_member(file, entries.value(), name, read, lookup.checks_whole_files);
    if (!array) return array.problem();
    to = std::move(array).value();
    if (to && to->dims[0] != count)
      return to->file.problem("it holds " + std::to_string(to->dims[0]) + " samples, `data` " +
                              std::to_string(count));
    return Success{};
  };
  if (auto added = add("labels", reader.disable_labels, arrays.labels); !added)
    return added.problem();
  if (auto added = add("responses", reader.disable_responses, arrays.responses); !added)
    return added.problem();
  return numpy_samples(std::move(arrays), reader.num_labels);
}

}  // namespace lbann::runtime
