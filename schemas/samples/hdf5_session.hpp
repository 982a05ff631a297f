// The HDF5 library, for those who call it: one thread at a time.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace lbann {

/// The library has one state for all files, and not every build of it locks.
inline std::mutex& hdf5_library() {
  static std::mutex mutex;
  return mutex;
}

/// The library to oneself, for as long as this lives; it writes nothing to standard error then.
class Hdf5Session {
 public:
  Hdf5Session() : lock_(hdf5_library()) { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }
  Hdf5Session(Hdf5Session const&) = delete;

  /// What the library says of the last call that failed: the words of its innermost function.
  std::string words() const {
    std::string words;
    auto const take = [](unsigned, H5E_error2_t const* error, void* to) -> herr_t {
      if (error->desc != nullptr) *static_cast<std::string*>(to) = error->desc;
      return 1;  // no further
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &words);
    return words.empty() ? "" : " (" + words + ")";
  }

 private:
  std::lock_guard<std::mutex> lock_;
};

/// Something of the library's that is closed at the end.
class Hdf5Object {
 public:
  Hdf5Object(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Hdf5Object(Hdf5Object const&) = delete;
  ~Hdf5Object() {
    if (id_ >= 0) close_(id_);
  }
  bool good() const { return id_ >= 0; }
  /// Closes it now; whether that went well.
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

}  // namespace lbann
