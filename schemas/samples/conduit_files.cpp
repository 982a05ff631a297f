// Names at the top of each file, and whether each simulation ended well.
#include "schemas/samples/conduit_files.hpp"

namespace lbann {

namespace {

/// Names of the samples of a file that are used.
Result<std::vector<std::string>> good_samples(std::string const& path) {
  auto const file = open_conduit_file(path);
  if (!file) return file.problem();
  auto names = file.value().names("");
  if (!names) return names;
  if (names.value().empty()) return Problem{"`" + path + "`: it holds no sample"};
  std::vector<std::string> good;
  for (auto& name : names.value()) {
    auto const success = file.value().number(name + "/" + std::string(success_flag));
    if (!success)
      return Problem{success.problem().message +
                     "; each group at the top of the file must be a "
                     "sample that says by this number whether it "
                     "ended well (`jag_conduit` takes a list instead)"};
    if (success.value() != 0) good.push_back(std::move(name));
  }
  return good;
}

}  // namespace

OpenedSamples open_conduit_files(RecordTerms const& terms, std::vector<std::string> const& files) {
  std::vector<std::vector<std::string>> names;
  for (auto const& path : files) {
    auto good = good_samples(path);
    if (!good) return good.problem();
    names.push_back(std::move(good).value());
  }
  auto list = SampleList::of_files(files, names);
  if (list.size() == 0)
    return Problem{"`" + files.front() + "`: no simulation of " +
                   (files.size() == 1 ? "it" : "it and the files after it") + " ended well, all `" +
                   std::string(success_flag) + "` are 0"};
  // Files were looked for there before.
  auto found = terms;
  found.local_folder.clear();
  return open_records(found, std::move(list), std::string());
}

}  // namespace lbann
