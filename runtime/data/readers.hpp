// The samples behind each data reader of the language.
#pragma once

#include "runtime/data/samples.hpp"
#include "schemas/data_readers/list.hpp"

namespace lbann::runtime {

class PythonWorkers;

/// What readers find around them. Relative paths are looked up in `data_root` if it is not empty,
/// then in the working directory.
struct Lookup {
  std::string data_root;
  PythonWorkers* python = nullptr;  ///< started before MPI; null: the reader starts its own
  /// Whether to look through large files whose samples are read by need, once, for what only all of
  /// their bytes can tell. One rank does it for all.
  bool checks_whole_files = true;

  /// The path of an existing file named `name` in folder `folder` (as the experiment has them); the
  /// problem tells where it was looked for.
  Result<std::string> find(std::string const& folder, std::string const& name) const;
};

using OpenedSamples = Result<std::shared_ptr<Samples const>>;

OpenedSamples open_samples(data_readers::digits const& reader, Lookup const& lookup);
OpenedSamples open_samples(data_readers::synthetic const& reader, Lookup const& lookup);
OpenedSamples open_samples(data_readers::mnist const& reader, Lookup const& lookup);
OpenedSamples open_samples(data_readers::numpy const& reader, Lookup const& lookup);
OpenedSamples open_samples(data_readers::numpy_npz const& reader, Lookup const& lookup);
OpenedSamples open_samples(data_readers::csv const& reader, Lookup const& lookup);
OpenedSamples open_samples(data_readers::cifar10 const& reader, Lookup const& lookup);
OpenedSamples open_samples(data_readers::text const& reader, Lookup const& lookup);
OpenedSamples open_samples(data_readers::python const& reader, Lookup const& lookup);

/// Elements of one sample of these sizes.
std::int64_t elements_of(std::vector<std::int64_t> const& dims);

/// Sets `values` to zero but for a one at `label`.
void set_one_hot(FieldValues const& values, std::int64_t label);

/// Whether a number that was read is one of the classes 0 to `classes` - 1.
bool is_label(double label, std::int64_t classes);
/// What to say of one that is not: of sample `index`, or of none (-1) where the place tells whose.
Problem bad_label(double label, std::int64_t classes, std::int64_t index = -1);

}  // namespace lbann::runtime
