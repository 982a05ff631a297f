// Reads a plan from a file.
#include <cerrno>
#include <cstring>
#include <fstream>

#include "schemas/plan/plan.hpp"

namespace lbann {

Result<Plan> read_plan(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  auto const refused = [&](std::string const& why) {
    return Problem{"cannot read plan `" + path + "`: " + why};
  };
  if (!file) return refused(std::strerror(errno));
  std::vector<std::uint8_t> bytes;
  std::vector<char> piece(1 << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0)
    bytes.insert(bytes.end(), piece.data(), piece.data() + file.gcount());
  if (file.bad()) return refused(std::strerror(errno));
  auto plan = decode(bytes);
  if (!plan) return Problem{path + ": " + plan.problem().message};
  return plan;
}

}  // namespace lbann
