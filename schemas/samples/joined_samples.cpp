// Field by field from where it is.
#include "schemas/samples/joined_samples.hpp"

namespace lbann {

Result<Success> check_count(std::int64_t count, std::int64_t before) {
  if (before < 0 || count == before) return Success{};
  return Problem{"it holds " + std::to_string(count) + " samples, but the files before it " +
                 std::to_string(before)};
}

Result<Success> JoinedSamples::add(std::unique_ptr<Samples> part) {
  if (auto good = check_count(part->count(), parts_.empty() ? -1 : count()); !good) return good;
  for (std::size_t field = 0; field < part->fields().size(); ++field) {
    fields_.push_back(part->fields()[field]);
    places_.push_back({parts_.size(), field});
  }
  parts_.push_back(std::move(part));
  return Success{};
}

std::unique_ptr<Samples> JoinedSamples::single(JoinedSamples joined) {
  if (joined.parts_.size() == 1) return std::move(joined.parts_.front());
  return std::make_unique<JoinedSamples>(std::move(joined));
}

Result<Success> JoinedSamples::load(bool checks_all) {
  for (auto& part : parts_)
    if (auto loaded = part->load(checks_all); !loaded) return loaded;
  return Success{};
}

Result<Success> JoinedSamples::read(std::int64_t index, std::size_t field,
                                    FieldValues const& values) const {
  auto const [part, of_part] = places_[field];
  return parts_[part]->read(index, of_part, values);
}

std::string JoinedSamples::place(std::int64_t index, std::size_t field) const {
  auto const [part, of_part] = places_[field];
  return parts_[part]->place(index, of_part);
}

}  // namespace lbann
