// The folders of a folder, in order, and the files in them.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "schemas/samples/image_files.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

namespace {

namespace fs = std::filesystem;

bool is_hidden(fs::path const& path) { return path.filename().string().starts_with("."); }

bool names_image(fs::path const& path) {
  auto ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return ending == ".jpg" || ending == ".jpeg" || ending == ".png";
}

Problem unreadable(std::string const& folder, std::error_code const& error) {
  return {"`" + folder + "`: " + error.message()};
}

/// The folder itself, if it has no others and nobody wants labels.
Result<std::vector<std::string>> all_classes(std::string const& folder, bool labelled) {
  std::vector<std::string> classes;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (std::error_code ignored; at->is_directory(ignored) && !is_hidden(at->path()))
      classes.push_back(at->path().filename().string());
  if (error) return unreadable(folder, error);
  if (classes.empty() && !labelled) return std::vector<std::string>{std::string()};
  if (classes.empty())
    return Problem{"`" + folder + "`: it has no folders; each class needs one with its images"};
  std::ranges::sort(classes);
  return classes;
}

/// Adds the images anywhere in folder `name` of `folder`.
Result<Success> add_class(ImageList& list, std::string const& folder, std::string const& name,
                          std::int64_t label) {
  std::vector<std::string> paths;
  std::error_code error;
  auto const below = fs::path(folder) / name;
  for (fs::recursive_directory_iterator at(below, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (is_hidden(at->path())) {
      at.disable_recursion_pending();
      continue;
    }
    if (at->is_directory(ignored)) continue;
    if (!names_image(at->path()))
      return Problem{"`" + at->path().string() +
                     "`: the name ends like neither a JPEG (.jpg, .jpeg) nor a PNG; convert the "
                     "file, or move it to another folder"};
    paths.push_back((fs::path(name) / at->path().lexically_relative(below)).string());
  }
  if (error) return unreadable(below.string(), error);
  if (paths.empty()) return Problem{"`" + below.string() + "`: the class has no image"};
  std::ranges::sort(paths);
  for (auto const& path : paths) list.add(path, label);
  return Success{};
}

OpenedSamples open_folder(data_readers::image_folder const& reader, OpenContext const& context,
                          std::string const& folder) {
  auto classes = reader.classes;
  if (classes.empty()) {
    auto found = all_classes(folder, context.wants("labels"));
    if (!found) return found.problem();
    classes = std::move(found).value();
  }
  auto const count = static_cast<std::int64_t>(classes.size());
  if (reader.num_labels > 0 && count != reader.num_labels && context.wants("labels"))
    return Problem{"`" + folder + "`: it has " + std::to_string(count) +
                   (count == 1 ? " folder" : " folders") + ", `num_labels` says " +
                   std::to_string(reader.num_labels) + " classes; name their folders in `classes`"};
  ImageList list;
  for (std::int64_t label = 0; label < count; ++label)
    if (auto added = add_class(list, folder, classes[static_cast<std::size_t>(label)], label);
        !added)
      return added.problem();
  return open_images(reader, context, folder, std::move(list), count);
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::image_folder const& reader,
                                     OpenContext const& context) {
  return {source_of_folder(
      "data_filedir", reader.data_filedir, {"labels"},
      [=](std::string const& found) { return open_folder(reader, context, found); })};
}

}  // namespace lbann
