// Rules by which names in a file become names of weights.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schemas/vocabulary/result.hpp"

namespace lbann::callbacks {

/// One rule, `old -> new`: a name, or a pattern with one `*`, which stands for any characters and
/// for the same ones on both sides.
class Renaming {
 public:
  /// Blanks around both sides are left out. The problem tells why `text` is none.
  static Result<Renaming> parse(std::string_view text);

  /// The new name; nothing if `name` does not match.
  std::optional<std::string> apply(std::string_view name) const;

 private:
  struct Side {
    std::string before, after;  ///< what stands before and after the `*`; a name is all `before`
  };

  Side old_, new_;
  bool pattern_ = false;
};

}  // namespace lbann::callbacks
