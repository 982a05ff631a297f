// Attributes of cuDNN's backend by their types.
#include "kernels/vendor/cudnn/descriptor.hpp"

#include <string>

namespace lbann::kernels::cudnn {

Descriptor::Descriptor(cudnnBackendDescriptorType_t type) {
  check(cudnnBackendCreateDescriptor(type, &object_), "cudnnBackendCreateDescriptor");
}

Descriptor::~Descriptor() {
  if (object_ != nullptr) cudnnBackendDestroyDescriptor(object_);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                            std::size_t count, void const* values) {
  check(cudnnBackendSetAttribute(object_, name, type, static_cast<std::int64_t>(count), values),
        "cudnnBackendSetAttribute");
  return *this;
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name,
                            std::span<std::int64_t const> values) {
  return set(name, CUDNN_TYPE_INT64, values.size(), values.data());
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::span<void* const> pointers) {
  return set(name, CUDNN_TYPE_VOID_PTR, pointers.size(), pointers.data());
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::int64_t value) {
  return set(name, CUDNN_TYPE_INT64, 1, &value);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, double value) {
  return set(name, CUDNN_TYPE_DOUBLE, 1, &value);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, float value) {
  return set(name, CUDNN_TYPE_FLOAT, 1, &value);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, std::string_view text) {
  return set(name, CUDNN_TYPE_CHAR, text.size(), text.data());
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnDataType_t type) {
  return set(name, CUDNN_TYPE_DATA_TYPE, 1, &type);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnConvolutionMode_t mode) {
  return set(name, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnBackendHeurMode_t mode) {
  return set(name, CUDNN_TYPE_HEUR_MODE, 1, &mode);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, cudnnHandle_t handle) {
  return set(name, CUDNN_TYPE_HANDLE, 1, &handle);
}

Descriptor& Descriptor::set(cudnnBackendAttributeName_t name, Descriptor const& part) {
  return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &part.object_);
}

bool Descriptor::can_finalize() { return cudnnBackendFinalize(object_) == CUDNN_STATUS_SUCCESS; }

Descriptor&& Descriptor::finalized() {
  check(cudnnBackendFinalize(object_), "cudnnBackendFinalize");
  return std::move(*this);
}

std::int64_t Descriptor::number(cudnnBackendAttributeName_t name) const {
  std::int64_t value = 0, count = 0;
  check(cudnnBackendGetAttribute(object_, name, CUDNN_TYPE_INT64, 1, &count, &value),
        "cudnnBackendGetAttribute");
  return value;
}

std::string Descriptor::text(cudnnBackendAttributeName_t name) const {
  std::int64_t count = 0;
  check(cudnnBackendGetAttribute(object_, name, CUDNN_TYPE_CHAR, 0, &count, nullptr),
        "cudnnBackendGetAttribute");
  std::string letters(static_cast<std::size_t>(count), '\0');
  check(cudnnBackendGetAttribute(object_, name, CUDNN_TYPE_CHAR, count, &count, letters.data()),
        "cudnnBackendGetAttribute");
  return letters;
}

std::vector<cudnnBackendNumericalNote_t> Descriptor::notes() const {
  std::vector<cudnnBackendNumericalNote_t> found(CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
  std::int64_t count = 0;
  check(
      cudnnBackendGetAttribute(object_, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                               static_cast<std::int64_t>(found.size()), &count, found.data()),
      "cudnnBackendGetAttribute");
  found.resize(static_cast<std::size_t>(count));
  return found;
}

std::vector<Descriptor> Descriptor::parts(cudnnBackendAttributeName_t name,
                                          cudnnBackendDescriptorType_t type) const {
  std::int64_t count = 0;
  check(cudnnBackendGetAttribute(object_, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr),
        "cudnnBackendGetAttribute");
  std::vector<Descriptor> found;
  std::vector<cudnnBackendDescriptor_t> objects;
  for (std::int64_t i = 0; i < count; ++i) objects.push_back(found.emplace_back(type).get());
  check(cudnnBackendGetAttribute(object_, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, count, &count,
                                 objects.data()),
        "cudnnBackendGetAttribute");
  found.erase(found.begin() + count, found.end());
  return found;
}

}  // namespace lbann::kernels::cudnn
