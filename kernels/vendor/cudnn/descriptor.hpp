// What cuDNN's backend is told and tells: objects with attributes, complete once finalized.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/vendor/cudnn/library.hpp"

namespace lbann::kernels::cudnn {

/// One object of cuDNN's backend, and its owner.
class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type);
  Descriptor(Descriptor&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Descriptor();

  /// Sets an attribute; the process ends where cuDNN refuses it.
  Descriptor& set(cudnnBackendAttributeName_t name, std::span<std::int64_t const> values);
  Descriptor& set(cudnnBackendAttributeName_t name, std::span<void* const> pointers);
  Descriptor& set(cudnnBackendAttributeName_t name, std::int64_t value);
  Descriptor& set(cudnnBackendAttributeName_t name, double value);
  Descriptor& set(cudnnBackendAttributeName_t name, float value);
  Descriptor& set(cudnnBackendAttributeName_t name, std::string_view text);
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnDataType_t type);
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnConvolutionMode_t mode);
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendHeurMode_t mode);
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnHandle_t handle);
  Descriptor& set(cudnnBackendAttributeName_t name, Descriptor const& part);

  /// Whether cuDNN takes the object as it is; the last call of any `set`.
  bool can_finalize();
  /// The same where nothing but a failure could keep it from that: the process ends.
  Descriptor&& finalized();

  std::int64_t number(cudnnBackendAttributeName_t name) const;
  std::string text(cudnnBackendAttributeName_t name) const;
  std::vector<cudnnBackendNumericalNote_t> notes() const;  ///< of an engine
  /// Descriptors of `type` in this one, as many as there are.
  std::vector<Descriptor> parts(cudnnBackendAttributeName_t name,
                                cudnnBackendDescriptorType_t type) const;

  cudnnBackendDescriptor_t get() const { return object_; }

 private:
  Descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                  std::size_t count, void const* values);

  cudnnBackendDescriptor_t object_ = nullptr;
};

}  // namespace lbann::kernels::cudnn
