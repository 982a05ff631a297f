// Writes and checks the header of a plan file.
#include "schemas/plan/header.hpp"

#include <algorithm>
#include <string>

#include "schemas/plan/digest.hpp"
#include "schemas/plan/plan.hpp"

namespace lbann {

namespace {

constexpr std::size_t version_at = 8, size_at = 16, digest_at = 24;

void put(std::vector<std::uint8_t>& file, std::size_t at, std::size_t count, std::uint64_t value) {
  for (std::size_t i = 0; i < count; ++i)
    file[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::uint64_t get(std::span<std::uint8_t const> file, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{file[at + i]} << (8 * i);
  return value;
}

}  // namespace

bool is_plan(std::span<std::uint8_t const> bytes) {
  return bytes.size() >= plan_magic.size() &&
         std::equal(plan_magic.begin(), plan_magic.end(), bytes.begin());
}

std::uint64_t file_digest(std::span<std::uint8_t const> file) {
  return digest(file.subspan(plan_header_bytes), digest(file.first(digest_at)));
}

void write_header(std::vector<std::uint8_t>& file) {
  std::copy(plan_magic.begin(), plan_magic.end(), file.begin());
  put(file, version_at, 4, plan_version);
  put(file, version_at + 4, 4, 0);
  put(file, size_at, 8, file.size() - plan_header_bytes);
  put(file, digest_at, 8, file_digest(file));
}

Result<std::span<std::uint8_t const>> body_of(std::span<std::uint8_t const> file) {
  if (!is_plan(file))
    return Problem{"this is not a plan: lbann-compile makes one from an experiment"};
  if (file.size() < plan_header_bytes)
    return Problem{"the plan is cut off after " + std::to_string(file.size()) + " bytes"};
  if (auto const version = get(file, version_at, 4); version != plan_version)
    return Problem{"the plan has format version " + std::to_string(version) +
                   ", this program reads version " + std::to_string(plan_version) +
                   ": compile the experiment again with the lbann-compile beside it"};
  auto const stored = get(file, size_at, 8), present = file.size() - plan_header_bytes;
  if (stored != present)
    return Problem{"the plan is damaged: " + std::to_string(stored) +
                   " bytes should follow its header, there are " + std::to_string(present)};
  if (get(file, digest_at, 8) != file_digest(file))
    return Problem{
        "the plan is damaged: its digest does not fit its bytes; copy or compile it again"};
  return file.subspan(plan_header_bytes);
}

}  // namespace lbann
