// Functions of a module.
#include "schemas/samples/list.hpp"
#include "schemas/samples/python_samples.hpp"

namespace lbann {

Result<PythonProgram> python_program(data_readers::python const& reader, DataPlaces const& places) {
  auto const folder = places.find_folder(reader.module_dir);
  if (!folder) return folder.problem();
  PythonProgram program(reader);
  program.words = {"module",
                   folder.value(),
                   reader.module,
                   reader.sample_function,
                   reader.num_samples_function,
                   reader.sample_dims_function};
  program.words.insert(program.words.end(), reader.data_fields.begin(), reader.data_fields.end());
  program.source = "module `" + reader.module + "`";
  program.import = "imported `" + reader.module + "`";
  program.before = reader.module + "." + reader.sample_function + "(";
  program.behind = ")";
  program.fields = reader.data_fields;
  return program;
}

std::vector<SampleSource> sources_of(data_readers::python const& reader,
                                     OpenContext const& context) {
  auto const open = [=](std::vector<std::string> const&) {
    return open_python(python_program(reader, context.places), context);
  };
  return {{"module",
           reader.module,
           {},
           reader.data_fields,
           "`" + reader.module + "." + reader.sample_dims_function + "` gives",
           open}};
}

}  // namespace lbann
