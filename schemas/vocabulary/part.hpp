// Declarations inside of declarations: what stands under a key that is no plain field.
#pragma once

#include <cstdint>
#include <string_view>

namespace lbann {

/// How declarations stand under one key of another.
enum class PartForm : std::uint8_t {
  section,   ///< a mapping with the fields of one declaration
  sections,  ///< a list of such mappings
  entry,     ///< a mapping with a single key, the name of one of several declarations
  entries    ///< a list of such mappings
};

/// A key of a declaration and what may stand under it: `static constexpr auto parts()` of a
/// declaration gives a tuple of these, as `fields()` gives its fields.
template <PartForm form, class... Types>
struct Part {
  std::string_view name, doc;
};

}  // namespace lbann
