// Samples, labels and responses from .npy files.
#include "schemas/samples/list.hpp"
#include "schemas/samples/numpy_samples.hpp"

namespace lbann {

std::vector<SampleSource> sources_of(data_readers::numpy const& reader,
                                     OpenContext const& context) {
  bool const has_targets = context.wants("labels") || context.wants("responses");
  auto const wanted = has_targets ? -1 : context.wanted_elements("samples");
  auto const source = [&](std::string field, std::string const& name,
                          std::vector<std::string> tells, ArrayContent content, double scale) {
    return source_of_file(
        std::move(field), reader.data_filedir, name, std::move(tells),
        [=, classes = reader.num_labels](std::string const& path) {
          auto array = open_npy_file(path);
          if (!array) return OpenedSamples(array.problem());
          // Without the target that nobody wants, a file is as good.
          auto const& dims = array.value().dims;
          bool const alone = !dims.empty() && content != ArrayContent::labels &&
                             content != ArrayContent::responses &&
                             elements_of({dims.begin() + 1, dims.end()}) == wanted;
          return numpy_samples(std::move(array).value(), alone ? ArrayContent::samples : content,
                               scale, classes);
        });
  };
  auto const content = !reader.disable_labels      ? ArrayContent::samples_and_label
                       : !reader.disable_responses ? ArrayContent::samples_and_response
                                                   : ArrayContent::samples;
  std::vector<SampleSource> sources{
      source("data_filename", reader.data_filename, {"samples"}, content, reader.scale)};
  if (!reader.label_filename.empty() && context.wants("labels"))
    sources.push_back(source("label_filename", reader.label_filename, {}, ArrayContent::labels, 1));
  if (!reader.response_filename.empty() && context.wants("responses"))
    sources.push_back(source("response_filename", reader.response_filename, {"responses"},
                             ArrayContent::responses, 1));
  return sources;
}

}  // namespace lbann
