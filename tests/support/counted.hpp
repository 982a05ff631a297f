// A number that counts what is done to it, by the convention of schemas/operators/rules.hpp.
#pragma once

#include <cstdint>

#include "kernels/reference/number.hpp"

namespace lbann::testing {

class Counted {
 public:
  Counted(double value = 0) : value_(value) {}
  explicit operator double() const { return value_; }

  /// Operations since the program began, of all numbers.
  static std::int64_t& operations() {
    static std::int64_t count = 0;
    return count;
  }

  friend Counted operator+(Counted a, Counted b) { return result(a.value_ + b.value_); }
  friend Counted operator-(Counted a, Counted b) { return result(a.value_ - b.value_); }
  friend Counted operator*(Counted a, Counted b) { return result(a.value_ * b.value_); }
  friend Counted operator/(Counted a, Counted b) { return result(a.value_ / b.value_); }
  Counted& operator+=(Counted other) { return *this = *this + other; }
  Counted& operator-=(Counted other) { return *this = *this - other; }
  friend bool operator==(Counted a, Counted b) { return compared(a.value_ == b.value_); }
  friend bool operator!=(Counted a, Counted b) { return compared(a.value_ != b.value_); }
  friend bool operator<(Counted a, Counted b) { return compared(a.value_ < b.value_); }
  friend bool operator>(Counted a, Counted b) { return compared(a.value_ > b.value_); }
  friend bool operator<=(Counted a, Counted b) { return compared(a.value_ <= b.value_); }
  friend bool operator>=(Counted a, Counted b) { return compared(a.value_ >= b.value_); }

  /// A value that took one operation.
  static Counted result(double value) {
    ++operations();
    return value;
  }

 private:
  static bool compared(bool outcome) {
    ++operations();
    return outcome;
  }

  double value_;
};

}  // namespace lbann::testing

template <>
struct lbann::kernels::reference::FunctionValue<lbann::testing::Counted> {
  static lbann::testing::Counted of(double value) { return lbann::testing::Counted::result(value); }
};
