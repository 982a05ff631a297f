// Arrays of an .npz file, one for each field.
#include "schemas/samples/joined_samples.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/samples/npz_archive.hpp"
#include "schemas/samples/numpy_samples.hpp"

namespace lbann {

namespace {

/// The array of a field; nothing where none is needed.
Result<std::optional<NpyFile>> find_array(data_readers::numpy_npz const& reader,
                                          NpzArchive const& archive, std::string const& field,
                                          std::string const& name) {
  auto array = archive.array(name);
  // A file without labels or responses is good as long as nobody asks for them.
  if (!array || array.value() || (reader.arrays.empty() && field != "samples")) return array;
  std::string held;
  for (auto const& other : archive.names()) held += (held.empty() ? "" : ", ") + other;
  return archive.file().problem(
      "it holds no array `" + name + "`" +
      (held.empty() ? ", nor any other" : "; there are " + held.substr(0, 200)) +
      (reader.arrays.empty() ? ", and `arrays` can name another one for `samples`" : ""));
}

OpenedSamples open_archive(data_readers::numpy_npz const& reader, std::string const& path) {
  auto const archive = NpzArchive::open(path);
  if (!archive) return archive.problem();
  JoinedSamples joined;
  for (auto const& [field, names] : reader.arrays_of_fields().entries) {
    auto found = find_array(reader, archive.value(), field, names.front());
    if (!found) return found.problem();
    if (!found.value()) continue;
    auto& array = *found.value();
    auto const member = array.file;
    bool const scaled = field == "samples" && array.number == NpyNumber::i2;
    auto samples = numpy_samples(
        std::move(array), field == "labels" ? ArrayContent::labels : ArrayContent::samples,
        scaled ? reader.scaling_factor_int16 : 1, reader.num_labels, field);
    if (!samples) return samples.problem();
    if (auto added = joined.add(std::move(samples).value()); !added)
      return member.problem(added.problem().message);
  }
  return JoinedSamples::single(std::move(joined));
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::numpy_npz const& given,
                                     OpenContext const& context) {
  // Arrays that nobody wants need not be there.
  auto reader = given;
  std::erase_if(reader.arrays, [&](std::string const& array) {
    return !context.wants(std::string_view(array).substr(0, array.find('=')));
  });
  std::vector<std::string> tells;
  for (auto const& [field, names] : reader.arrays_of_fields().entries)
    if (field != "labels") tells.push_back(field);
  return {source_of_file("data_filename", reader.data_filedir, reader.data_filename,
                         std::move(tells),
                         [=](std::string const& path) { return open_archive(reader, path); })};
}

}  // namespace lbann
