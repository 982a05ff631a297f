// Sizes of one sample as text.
#include "compiler/declarations/dims.hpp"

namespace lbann::compiler {

std::string to_text(Dims const& dims) {
  std::string text = "[";
  for (std::size_t i = 0; i < dims.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(dims[i]);
  return text + "]";
}

}  // namespace lbann::compiler
