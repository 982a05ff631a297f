// Names and makes the work directory of a run.
#include "runtime/training/work_directory.hpp"

#include <algorithm>
#include <cctype>

namespace lbann::runtime {

Result<std::filesystem::path> make_work_directory(std::filesystem::path const& base,
                                                  std::filesystem::path const& beside,
                                                  std::string const& model, std::time_t now) {
  namespace fs = std::filesystem;
  std::string name = model.empty() ? "model" : model;
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_' && c < 0x80; },
      '_');
  std::tm local{};
  ::localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "_%Y%m%d_%H%M%S", &local);
  name += stamp;

  std::error_code error;
  fs::create_directories(base, error);
  if (error) return Problem{base.string() + ": cannot be created: " + error.message()};
  // That nothing can be written there is found by who does.
  if (!beside.empty()) fs::create_directories(beside, error);
  for (int copy = 1; copy < 10000; ++copy) {
    auto const path = base / (copy == 1 ? name : name + '_' + std::to_string(copy));
    if (fs::create_directory(path, error)) {
      auto const other = beside / path.filename();
      if (beside.empty() || fs::create_directory(other, error) || error)
        return fs::absolute(path).lexically_normal();
      fs::remove(path, error);  // the other is that of a run in another folder
    }
    if (error) return Problem{path.string() + ": cannot be created: " + error.message()};
  }
  return Problem{base.string() + ": holds too many runs of this second"};
}

}  // namespace lbann::runtime
