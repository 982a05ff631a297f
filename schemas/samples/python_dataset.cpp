// A pickled object.
#include <filesystem>

#include "schemas/samples/list.hpp"
#include "schemas/samples/python_samples.hpp"

namespace lbann {

Result<PythonProgram> python_program(data_readers::python_dataset const& reader,
                                     DataPlaces const& places) {
  auto const folder = places.find_folder(reader.module_dir);
  if (!folder) return folder.problem();
  auto const file = places.find_file(reader.dataset_path);
  if (!file) return file.problem();
  PythonProgram program(reader);
  program.words = {"dataset", folder.value(), file.value()};
  program.source = "data set `" + file.value() + "`";
  program.import = "read `" + file.value() + "`";
  program.before = std::filesystem::path(file.value()).filename().string() + "[";
  program.behind = "]";
  return program;
}

std::vector<SampleSource> sources_of(data_readers::python_dataset const& reader,
                                     OpenContext const& context) {
  auto source =
      source_of_file("dataset_path", {}, reader.dataset_path, {"samples", "labels", "responses"},
                     [=](std::string const&) {
                       return open_python(python_program(reader, context.places), context);
                     });
  source.told_by = "`get_sample_dims` of `" + reader.dataset_path + "` gives";
  return {source};
}

}  // namespace lbann
