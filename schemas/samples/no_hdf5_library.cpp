// Stands in for hdf5_library.cpp where a build has no HDF5 library.
#include "schemas/samples/hdf5_file.hpp"

namespace lbann {

struct Hdf5File::Handle {};

namespace {

constexpr char const* missing =
    "this program was built without the HDF5 library; install it (Debian: libhdf5-dev) and build "
    "again with -Dhdf5=enabled";

}  // namespace

Result<Hdf5File> Hdf5File::open(std::string const& path) {
  return Problem{"`" + path + "`: " + missing};
}

Result<std::vector<std::int64_t>> create_hdf5_file(std::string const&,
                                                   std::span<NewHdf5Dataset const>) {
  return Problem{missing};
}

std::string hdf5_release() { return {}; }

// Nobody has an open file.
Result<Hdf5Array> Hdf5File::array(std::string const&) const { return file_.problem("no HDF5"); }
Result<Success> Hdf5File::find_chunks(std::string const&, Hdf5Array&) const {
  return file_.problem("no HDF5");
}
Result<std::vector<std::string>> Hdf5File::names(std::string const&) const {
  return file_.problem("no HDF5");
}
Result<std::vector<std::string>> Hdf5File::names_of_numbers(std::string const&) const {
  return file_.problem("no HDF5");
}

}  // namespace lbann
