// As for reading, the library finds the places, and numbers pass it by.
#include "schemas/samples/hdf5_file.hpp"
#include "schemas/samples/hdf5_session.hpp"

namespace lbann {

namespace {

hid_t type_of(DataType type) {
  return type == DataType::f64   ? H5T_NATIVE_DOUBLE
         : type == DataType::i32 ? H5T_NATIVE_INT32
                                 : H5T_NATIVE_FLOAT;
}

/// The byte at which its numbers begin; -1: it cannot be made.
std::int64_t create_dataset(hid_t file, NewHdf5Dataset const& made) {
  std::vector<hsize_t> const dims(made.dims.begin(), made.dims.end());
  Hdf5Object const space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
                         H5Sclose),
      creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(link, 1);
  H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(creation, false);  // the same bytes for the same data
  Hdf5Object const dataset(
      H5Dcreate2(file, made.name.c_str(), type_of(made.type), space, link, creation, H5P_DEFAULT),
      H5Dclose);
  if (!dataset.good()) return -1;
  if (elements_of(made.dims) == 0) return 0;
  auto const begin = H5Dget_offset(dataset);
  return begin == HADDR_UNDEF ? -1 : static_cast<std::int64_t>(begin);
}

}  // namespace

Result<std::vector<std::int64_t>> create_hdf5_file(std::string const& path,
                                                   std::span<NewHdf5Dataset const> datasets) {
  Hdf5Session const session;
  Hdf5Object const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, false, true);
  Hdf5Object file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  if (!file.good()) return Problem{"no HDF5 file can be written" + session.words()};
  std::vector<std::int64_t> begins;
  for (auto const& dataset : datasets) {
    begins.push_back(create_dataset(file, dataset));
    if (begins.back() < 0)
      return Problem{"no dataset `" + dataset.name + "` can be made" + session.words()};
  }
  if (!file.close()) return Problem{"the HDF5 file cannot be written" + session.words()};
  return begins;
}

}  // namespace lbann
