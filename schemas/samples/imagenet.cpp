// Lines of a path, blanks and a label.
#include <charconv>
#include <filesystem>
#include <unordered_map>

#include "schemas/samples/data_file.hpp"
#include "schemas/samples/image_files.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/samples/sample_list_file.hpp"

namespace lbann {

namespace {

constexpr std::string_view blanks = " \t\r";
/// Longest line: no path is longer on any file system.
constexpr std::size_t longest_image_line = 8192;

/// Takes one line, `number` counted from 1; empty ones are left out. Without `labelled` the label
/// may be missing.
Result<Success> add_line(ImageList& list, std::string_view line, std::int64_t number,
                         DataFile const& file, std::int64_t classes, bool labelled) {
  auto const problem = [&](std::string const& what) {
    return Problem{"`" + file.name() + "`:" + std::to_string(number) + ": " + what};
  };
  auto const last = line.find_last_not_of(blanks);
  if (last == line.npos) return Success{};
  line = line.substr(0, last + 1);
  auto const gap = line.find_last_of(blanks);
  auto const path_end = gap == line.npos ? line.npos : line.find_last_not_of(blanks, gap);
  if (path_end == line.npos && labelled)
    return problem("the line is not the path of an image, a blank and a label");
  auto const word = gap == line.npos ? std::string_view() : line.substr(gap + 1);
  std::int64_t label = 0;
  auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), label);
  bool const has_label = error == std::errc{} && end == word.data() + word.size();
  if (!labelled) {
    list.add(has_label && path_end != line.npos ? line.substr(0, path_end + 1) : line, 0);
    return Success{};
  }
  if (!has_label) return problem("`" + std::string(word) + "` at its end is no label");
  if (label < 0 || (classes > 0 && label >= classes))
    return problem(classes > 0 ? bad_label(static_cast<double>(label), classes).message
                               : "label " + std::to_string(label) + " is negative");
  list.add(line.substr(0, path_end + 1), label);
  return Success{};
}

Result<ImageList> read_list(std::string const& path, std::int64_t classes, bool labelled) {
  auto file = DataFile::open(path);
  if (!file) return file.problem();
  ImageList list;
  std::string rest;  // the begin of a line whose end is in the next piece
  std::int64_t number = 0;
  Result<Success> good = Success{};
  auto const take = [&](std::string_view line) {
    ++number;
    good = line.size() > longest_image_line
               ? Problem{"`" + path + "`:" + std::to_string(number) + ": the line has more than " +
                         std::to_string(longest_image_line) + " characters"}
               : add_line(list, line, number, file.value(), classes, labelled);
    return good.good();
  };
  auto const read = file.value().each_piece([&](std::string_view piece) {
    for (auto end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
      rest += piece.substr(0, end);
      if (!take(rest)) return false;
      rest.clear();
      piece.remove_prefix(end + 1);
    }
    rest += piece;
    return rest.size() <= longest_image_line || take(rest);
  });
  if (!read) return read.problem();
  if (good && !rest.empty()) take(rest);
  if (!good) return good.problem();
  if (list.size() == 0) return file.value().problem("it lists no image");
  return list;
}

/// The labels in the file that a sample list names: beside the list, where it is nowhere else.
Result<ImageList> labels_of(SampleList const& list, DataPlaces const& places,
                            std::int64_t classes) {
  auto found = places.find_file(list.label_file());
  if (!found) {
    auto const folder = std::filesystem::path(list.name()).parent_path().string();
    auto const beside = places.find_file(path_in(folder, list.label_file()));
    if (!beside)
      return Problem{"`" + list.name() + "`, the file of its labels: " + found.problem().message};
    found = beside;
  }
  return read_list(found.value(), classes, true);
}

/// The images of a sample list, with their labels if they are wanted.
Result<ImageList> listed_images(SampleList const& list, DataPlaces const& places,
                                std::int64_t classes, bool labelled) {
  if (!list.one_per_file())
    return Problem{"`" + list.name() +
                   "`:1: an image is a file; lists of them begin with `SINGLE-SAMPLE`"};
  if (list.size() == 0) return Problem{"`" + list.name() + "`: it lists no image"};
  ImageList labels, images;
  std::unordered_map<std::string_view, std::int64_t> label_of;
  if (labelled) {
    auto read = labels_of(list, places, classes);
    if (!read) return read.problem();
    labels = std::move(read).value();
    for (std::int64_t i = 0; i < labels.size(); ++i)
      label_of.emplace(labels.path(i), labels.label(i));
  }
  for (auto const& file : list.files()) {
    auto const found = label_of.find(file.name);
    if (labelled && found == label_of.end())
      return Problem{"`" + list.name() + "`:" + std::to_string(file.line) + ": `" + file.name +
                     "` has no line in `" + list.label_file() + "`, the file of the labels"};
    images.add(file.name, labelled ? found->second : 0);
  }
  return images;
}

/// The images of a sample list instead of `data_filename`.
SampleSource source_of_list(data_readers::imagenet const& reader, OpenContext const& context) {
  return source_of_file("sample_list", {}, sample_list_path(reader, context.trainer), {},
                        [=](std::string const& path) -> OpenedSamples {
                          auto const list = read_sample_list(path);
                          if (!list) return list.problem();
                          auto images = listed_images(list.value(), context.places,
                                                      reader.num_labels, context.wants("labels"));
                          if (!images) return images.problem();
                          auto const& said = list.value().folder();
                          auto folder = context.places.find_folder(
                              reader.data_filedir.empty() ? said : reader.data_filedir);
                          return open_images(reader, context, std::move(folder),
                                             std::move(images).value(), reader.num_labels);
                        });
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::imagenet const& reader,
                                     OpenContext const& context) {
  if (!reader.sample_list.empty()) return {source_of_list(reader, context)};
  return {source_of_file(
      "data_filename", {}, reader.data_filename, {}, [=](std::string const& path) -> OpenedSamples {
        auto list = read_list(path, reader.num_labels, context.wants("labels"));
        if (!list) return list.problem();
        // An empty folder is every place where data are looked for.
        auto folder =
            context.places.find_folder(reader.data_filedir.empty() ? "." : reader.data_filedir);
        return open_images(reader, context, std::move(folder), std::move(list).value(),
                           reader.num_labels);
      })};
}

}  // namespace lbann
