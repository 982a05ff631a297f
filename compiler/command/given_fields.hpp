// A file of dims of data fields, for machines that have no data.
#pragma once

#include <string>
#include <vector>

#include "compiler/experiment/probing/given_dims.hpp"
#include "compiler/source/path_pattern.hpp"
#include "schemas/vocabulary/result.hpp"

namespace lbann::compiler {

/// Lines `PATTERN FIELD=DIMS ...`: what `--field` would say of experiments whose path, from the
/// file's folder, a pattern covers. Blank lines and those that begin with `#` say nothing.
class GivenFields {
 public:
  /// A file that cannot be read or has other lines is a problem, with its place.
  static Result<GivenFields> read(std::string const& path);

  std::vector<GivenDims> of(std::string const& experiment) const;

 private:
  struct Entry {
    PathPattern pattern;
    std::uint32_t begin, end;  ///< of `FIELD=DIMS` in the text
  };

  std::string folder_;
  Source source_;
  std::vector<Entry> entries_;
};

}  // namespace lbann::compiler
