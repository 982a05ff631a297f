// Counting what is copied.
#include "compiler/source/budget.hpp"

#include "schemas/diagnostics/catalogue.hpp"

namespace lbann::compiler {

Volume volume_of(Node const& node) {
  Volume volume{1, node.text.size()};
  if (node.kind == Node::Kind::numbers) volume.values += node.numbers->size();
  for (auto const& child : node.items) volume = volume + volume_of(child);
  for (auto const& entry : node.entries)
    volume = volume + Volume{0, entry.key.size()} + volume_of(entry.value);
  return volume;
}

bool Budget::take(Volume volume, Span place, std::string_view who, Report& report) {
  if (exhausted_) return false;
  auto const wanted = taken_ + volume;
  if (wanted.values <= most_values && wanted.bytes <= most_bytes) {
    taken_ = wanted;
    return true;
  }
  exhausted_ = true;
  auto const limit = wanted.values > most_values
                         ? "a million values"
                         : std::to_string(most_bytes >> 20) + " MiB of text";
  report.add(
      diagnostics::too_large, place,
      {"with what " + std::string(who) + " add here, the experiment grows by more than " + limit});
  return false;
}

}  // namespace lbann::compiler
