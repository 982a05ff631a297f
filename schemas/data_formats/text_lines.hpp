// Lines of a text that arrives in pieces.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace lbann {

/// The lines of a text, whose pieces may be cut anywhere. `\n` and `\r\n` end a line; a byte order
/// mark at the begin of the text is no part of its first line.
class TextLines {
 public:
  /// Calls `visit(line, begin)` for every line that ends within `piece`: the line without its end,
  /// and the byte of the text at which it begins. What `visit` gives decides: false ends it.
  template <class Visit>
  bool take(std::string_view piece, Visit visit) {
    while (!piece.empty()) {
      auto const newline = piece.find('\n');
      auto const part = piece.substr(0, newline);
      if (newline == piece.npos) {
        rest_ += part;
        return true;
      }
      piece.remove_prefix(newline + 1);
      if (rest_.empty()) {
        if (!give(part, part.size() + 1, visit)) return false;
        continue;
      }
      rest_ += part;
      auto const line = std::move(rest_);
      rest_.clear();
      if (!give(line, line.size() + 1, visit)) return false;
    }
    return true;
  }

  /// The same for what follows the last `\n`, if anything does.
  template <class Visit>
  bool end(Visit visit) {
    auto const line = std::move(rest_);
    rest_.clear();
    return line.empty() || give(line, line.size(), visit);
  }

  /// Bytes of the line that has not ended yet.
  std::size_t unfinished() const { return rest_.size(); }

 private:
  template <class Visit>
  bool give(std::string_view line, std::size_t bytes, Visit& visit) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    auto begin = at_;
    at_ += bytes;
    if (begin == 0 && line.starts_with(byte_order_mark)) {
      begin = byte_order_mark.size();
      line.remove_prefix(begin);
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    return visit(line, begin);
  }

  std::string rest_;    ///< begin of the line that has not ended
  std::size_t at_ = 0;  ///< byte at which the next line begins
};

}  // namespace lbann
