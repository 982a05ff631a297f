// States of callbacks as texts of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace lbann::runtime {

/// Numbers, separated by blanks; doubles in hexadecimal, so that they come back bit for bit.
class StateText {
 public:
  StateText& operator<<(std::int64_t number) { return add(std::to_string(number)); }
  StateText& operator<<(double number);
  std::string const& text() const { return text_; }

 private:
  StateText& add(std::string const& word) {
    if (!text_.empty()) text_ += ' ';
    text_ += word;
    return *this;
  }
  std::string text_;
};

/// Reads them in their order; nothing where there is no such number left.
class StateReader {
 public:
  explicit StateReader(std::string const& text) : words_(text) {}
  std::optional<std::int64_t> integer();
  std::optional<double> real();

 private:
  std::istringstream words_;
};

}  // namespace lbann::runtime
