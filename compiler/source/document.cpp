// Looking up keys of a document.
#include "compiler/source/document.hpp"

namespace lbann::compiler {

Entry const* Node::find(std::string_view key) const {
  for (auto const& entry : entries)
    if (entry.key == key) return &entry;
  return nullptr;
}

}  // namespace lbann::compiler
