// A library that is looked for while the program runs, so that it starts without it.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <type_traits>

namespace lbann::device {

class SharedLibrary {
 public:
  /// The first of `names` that the loader finds; it stays open.
  explicit SharedLibrary(std::initializer_list<char const*> names) {
    for (auto const* const name : names)
      if (handle_ == nullptr) handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }

  /// Sets `function` to the one of this name.
  template <class F>
  void find(F& function, char const* name) {
    function = handle_ == nullptr ? nullptr : reinterpret_cast<F>(::dlsym(handle_, name));
    whole_ = whole_ && function != nullptr;
  }

  /// Whether all that was looked for was found.
  bool is_whole() const { return whole_; }

 private:
  void* handle_ = nullptr;
  bool whole_ = true;
};

}  // namespace lbann::device
