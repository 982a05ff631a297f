// Reads a plan from a file.
#include "schemas/files/regular_file.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann {

Result<Plan> read_plan(std::string const& path) {
  auto const refused = [&](Problem const& why) {
    return Problem{"cannot read plan `" + path + "`: " + why.message};
  };
  auto const file = RegularFile::open(path);
  if (!file) return refused(file.problem());
  auto const bytes = file.value().read_all();
  if (!bytes) return refused(bytes.problem());
  auto plan = decode(bytes.value());
  if (!plan) return Problem{path + ": " + plan.problem().message};
  return plan;
}

}  // namespace lbann
