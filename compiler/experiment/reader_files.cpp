// One function per reader of files.
#include "compiler/experiment/reader_files.hpp"

#include <filesystem>
#include <numeric>

#include "compiler/experiment/probe.hpp"
#include "schemas/data_readers/cifar10.hpp"
#include "schemas/data_readers/csv.hpp"
#include "schemas/data_readers/mnist.hpp"
#include "schemas/data_readers/numpy.hpp"
#include "schemas/data_readers/numpy_npz.hpp"
#include "schemas/data_readers/text.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann::compiler {

namespace {

using Found = std::vector<std::string>;
using Probe = Result<FileHeader> (*)(std::string const& path);

std::string in_folder(std::string const& folder, std::string const& name) {
  return folder.empty() ? name : (std::filesystem::path(folder) / name).string();
}

Result<DataFacts> sample_facts(Result<FileHeader> const& header, std::string const& field) {
  if (!header) return header.problem();
  auto const& [samples, dims] = header.value();
  if (dims.empty()) return Problem{"it holds single numbers, not samples"};
  return DataFacts{samples, {{field, dims}}};
}

/// Class numbers, one per sample.
Result<DataFacts> label_facts(Result<FileHeader> const& header) {
  if (!header) return header.problem();
  auto const& [samples, dims] = header.value();
  if (!dims.empty() && dims != std::vector<std::int64_t>{1})
    return Problem{"it holds samples of " + to_text(Shape(dims)) + ", not class numbers"};
  return DataFacts{samples, {}};
}

ReaderFiles sample_file(std::string field, std::string path, std::string gives, Probe probe) {
  return {std::move(field), {std::move(path)}, {gives}, [=](Found const& found) {
            return sample_facts(probe(found[0]), gives);
          }};
}

ReaderFiles label_file(std::string path, Probe probe) {
  return {"label_filename", {std::move(path)}, {}, [=](Found const& found) {
            return label_facts(probe(found[0]));
          }};
}

std::vector<ReaderFiles> files_of(data_readers::mnist const& reader) {
  return {sample_file("data_filename", in_folder(reader.data_filedir, reader.data_filename),
                      "samples", probe_idx),
          label_file(in_folder(reader.data_filedir, reader.label_filename), probe_idx)};
}

std::vector<ReaderFiles> files_of(data_readers::numpy const& reader) {
  auto const path = [&](std::string const& name) { return in_folder(reader.data_filedir, name); };
  auto data = sample_file("data_filename", path(reader.data_filename), "samples", probe_npy);
  if (reader.splits())
    data.probe = [](Found const& found) -> Result<DataFacts> {
      auto facts = sample_facts(probe_npy(found[0]), "samples");
      if (!facts) return facts;
      auto& dims = facts.value().fields[0].dims;
      auto const rest = *checked_product(dims) - 1;
      if (rest < 1)
        return Problem{
            "its samples have a single number, none is left beside the label or "
            "response"};
      dims = {rest};
      return facts;
    };
  std::vector<ReaderFiles> files{std::move(data)};
  if (!reader.label_filename.empty())
    files.push_back(label_file(path(reader.label_filename), probe_npy));
  if (!reader.response_filename.empty())
    files.push_back(
        sample_file("response_filename", path(reader.response_filename), "responses", probe_npy));
  return files;
}

std::vector<ReaderFiles> files_of(data_readers::numpy_npz const& reader) {
  ReaderFiles files{
      "data_filename", {in_folder(reader.data_filedir, reader.data_filename)}, {"samples"}, {}};
  bool const responses = !reader.disable_responses;
  if (responses) files.fields.push_back("responses");
  files.probe = [=](Found const& found) -> Result<DataFacts> {
    auto facts = sample_facts(probe_npz(found[0], "data"), "samples");
    if (!facts || !responses) return facts;
    // A file without responses is good as long as nobody asks for them.
    auto const more = probe_npz(found[0], "responses");
    if (more) facts.value().fields.push_back({"responses", more.value().dims});
    return facts;
  };
  return {std::move(files)};
}

std::vector<ReaderFiles> files_of(data_readers::csv const& reader) {
  return {{"data_filename",
           {in_folder(reader.data_filedir, reader.data_filename)},
           {"samples"},
           [reader](Found const& found) {
             return sample_facts(probe_csv(found[0], reader), "samples");
           }}};
}

std::vector<ReaderFiles> files_of(data_readers::cifar10 const& reader) {
  ReaderFiles files{"data_filename", {}, {}, [](Found const& found) -> Result<DataFacts> {
                      DataFacts facts{0, {}};
                      for (auto const& path : found) {
                        auto const header = probe_cifar10(path);
                        if (!header) return header.problem();
                        facts.samples += header.value().samples;
                      }
                      return facts;
                    }};
  for (auto const& name : reader.filenames())
    files.paths.push_back(in_folder(reader.data_filedir, name));
  return {std::move(files)};
}

std::vector<ReaderFiles> files_of(data_readers::text const& reader) {
  ReaderFiles files{"data_filenames", {}, {}, [reader](Found const& found) -> Result<DataFacts> {
                      auto const header = probe_text(found, reader);
                      if (!header) return header.problem();
                      return DataFacts{header.value().samples, {}};
                    }};
  for (auto const& name : reader.data_filenames)
    files.paths.push_back(in_folder(reader.data_filedir, name));
  return {std::move(files)};
}

/// Tries one type of reader after the other.
template <class... Readers>
std::vector<ReaderFiles> files_of_any(Declaration const& declaration) {
  std::vector<ReaderFiles> files;
  auto const take = [&]<class Reader>(Reader const*) {
    if (declaration.type->name == Reader::name) files = files_of(declaration.as<Reader>());
  };
  (take(static_cast<Readers const*>(nullptr)), ...);
  return files;
}

}  // namespace

std::vector<ReaderFiles> files_of(Declaration const& reader) {
  return files_of_any<data_readers::mnist, data_readers::numpy, data_readers::numpy_npz,
                      data_readers::csv, data_readers::cifar10, data_readers::text>(reader);
}

}  // namespace lbann::compiler
