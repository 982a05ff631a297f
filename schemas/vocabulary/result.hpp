// A value, or why there is none.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace lbann {

/// What the machine refused (file, memory, MPI, device) or what does not fit, in words, with
/// remedy.
struct Problem {
  std::string message;
};

/// Either a `T` or a `Problem`; `Result<void>` is spelt `Result<Success>`.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Problem problem) : content_(std::move(problem)) {}

  bool good() const { return content_.index() == 0; }
  explicit operator bool() const { return good(); }
  T& value() & { return std::get<0>(content_); }
  T const& value() const& { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  Problem const& problem() const { return std::get<1>(content_); }

 private:
  std::variant<T, Problem> content_;
};

struct Success {};

}  // namespace lbann
