// The three arrays of an .npz file.
#include "schemas/samples/joined_samples.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/samples/npz_archive.hpp"
#include "schemas/samples/numpy_samples.hpp"

namespace lbann {

namespace {

OpenedSamples open_archive(data_readers::numpy_npz const& reader, std::string const& path) {
  auto const archive = NpzArchive::open(path);
  if (!archive) return archive.problem();
  auto const& file = archive.value().file();
  JoinedSamples joined;
  auto const add = [&](std::string const& name, ArrayContent content) -> Result<Success> {
    auto opened = archive.value().array(name);
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
