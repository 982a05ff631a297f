// HDF5 files as the library writes them.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace lbann::tests {

/// How a dataset is stored.
struct Hdf5Storage {
  std::vector<hsize_t> chunk = {};  ///< empty: one number behind the other
  bool shuffle = false, deflate = false, fletcher32 = false, big_endian = false, compact = false;
};

template <class T>
hid_t hdf5_type(bool big_endian = false) {
  if constexpr (std::is_same_v<T, float>)
    return big_endian ? H5T_IEEE_F32BE : H5T_IEEE_F32LE;
  else if constexpr (std::is_same_v<T, double>)
    return big_endian ? H5T_IEEE_F64BE : H5T_IEEE_F64LE;
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return H5T_STD_U8LE;
  else if constexpr (std::is_same_v<T, std::int16_t>)
    return big_endian ? H5T_STD_I16BE : H5T_STD_I16LE;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return big_endian ? H5T_STD_I32BE : H5T_STD_I32LE;
  else
    return big_endian ? H5T_STD_I64BE : H5T_STD_I64LE;
}

/// A new file; `latest`: in the newest format. Groups are made as names ask for them.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(std::string const& path, bool latest = false, hsize_t user_block = 0) {
    auto const access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
    if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_userblock(creation, user_block);
    file_ = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
    H5Pclose(access);
    H5Pclose(creation);
  }
  ~Hdf5Writer() { H5Fclose(file_); }
  Hdf5Writer(Hdf5Writer const&) = delete;

  template <class T>
  void write(std::string const& name, std::vector<hsize_t> const& dims,
             std::vector<T> const& numbers, Hdf5Storage const& storage = {}) {
    auto const space = dims.empty()
                           ? H5Screate(H5S_SCALAR)
                           : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
    auto const creation = H5Pcreate(H5P_DATASET_CREATE), link = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(link, 1);
    if (storage.compact) H5Pset_layout(creation, H5D_COMPACT);
    if (!storage.chunk.empty())
      H5Pset_chunk(creation, static_cast<int>(storage.chunk.size()), storage.chunk.data());
    if (storage.shuffle) H5Pset_shuffle(creation);
    if (storage.deflate) H5Pset_deflate(creation, 6);
    if (storage.fletcher32) H5Pset_fletcher32(creation);
    auto const set = H5Dcreate2(file_, name.c_str(), hdf5_type<T>(storage.big_endian), space, link,
                                creation, H5P_DEFAULT);
    if (!numbers.empty())
      H5Dwrite(set, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    H5Dclose(set);
    H5Pclose(link);
    H5Pclose(creation);
    H5Sclose(space);
  }

  hid_t file() const { return file_; }

 private:
  hid_t file_;
};

}  // namespace lbann::tests
