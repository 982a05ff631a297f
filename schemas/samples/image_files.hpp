// Samples that are image files, each with a label.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schemas/data_readers/images.hpp"
#include "schemas/samples/sample_source.hpp"

namespace lbann {

/// Paths of image files and their labels, in the order of the samples. Names lie in one string, as
/// there may be millions of them.
class ImageList {
 public:
  void add(std::string_view path, std::int64_t label) {
    names_ += path;
    ends_.push_back(names_.size());
    labels_.push_back(label);
  }
  std::int64_t size() const { return static_cast<std::int64_t>(labels_.size()); }
  std::string_view path(std::int64_t index) const {
    auto const i = static_cast<std::size_t>(index);
    auto const begin = i > 0 ? ends_[i - 1] : 0;
    return std::string_view(names_).substr(begin, ends_[i] - begin);
  }
  std::int64_t label(std::int64_t index) const { return labels_[static_cast<std::size_t>(index)]; }

 private:
  std::string names_;
  std::vector<std::size_t> ends_;
  std::vector<std::int64_t> labels_;
};

/// The images of `list`, relative paths below `folder`, whose absence is a problem once they are
/// loaded: the compiler needs the list alone. `classes`: length of the field `labels`, 0 unknown.
OpenedSamples open_images(data_readers::images const& reader, OpenContext const& context,
                          Result<std::string> folder, ImageList list, std::int64_t classes);

}  // namespace lbann
