// Reads a plan: the bytes of a file, then `decode`, which verifies them.
#include "runtime/loading/plan_file.hpp"

#include "schemas/files/regular_file.hpp"
#include "schemas/plan/header.hpp"

namespace lbann::runtime {

namespace {

/// The bytes of a plan; of another file only its first bytes, so that a large one is not read.
Result<std::vector<std::uint8_t>> read_bytes(std::string const& path) {
  auto const file = RegularFile::open(path);
  if (!file) {
    auto const& why = file.problem().message;
    bool const kind = why.starts_with("is ");
    return Problem{why + (kind ? "; give the plan that lbann-compile has written" : "")};
  }
  auto first = file.value().read_all(static_cast<std::int64_t>(plan_header_bytes));
  if (!first || !is_plan(first.value())) return first;
  return file.value().read_all();
}

}  // namespace

Result<PlanFile> read_plan(std::filesystem::path const& path) {
  auto bytes = read_bytes(path.string());
  if (!bytes) return Problem{path.string() + ": " + bytes.problem().message};
  auto plan = decode(bytes.value());
  if (!plan) return Problem{path.string() + ": " + plan.problem().message};
  return PlanFile{std::move(plan).value(), std::move(bytes).value()};
}

Result<std::filesystem::path> plan_of_trainer(std::filesystem::path const& first,
                                              std::int64_t trainer) {
  std::string const mark = "trainer", number = "0";
  auto name = first.filename().string();
  auto const place = name.rfind(mark + number);
  if (place == name.npos)
    return Problem{first.string() +
                   ": with --plan-per-trainer the name of the file must have `trainer0` in it, for "
                   "which trainer 1 reads `trainer1` and so on"};
  name.replace(place + mark.size(), number.size(), std::to_string(trainer));
  return first.parent_path() / name;
}

}  // namespace lbann::runtime
