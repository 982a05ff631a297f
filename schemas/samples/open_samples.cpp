// Every source of a reader is found, opened and joined with those before it.
#include "schemas/samples/open_samples.hpp"

#include "schemas/samples/joined_samples.hpp"
#include "schemas/samples/list.hpp"

namespace lbann {

namespace {

template <class Reader>
OpenedSamples open_any(Reader const& reader, OpenContext const& context) {
  if constexpr (requires { reader.conflict(); })
    if (auto const conflict = reader.conflict()) return Problem{conflict->words};
  JoinedSamples joined;
  for (auto const& source : sources_of(reader, context)) {
    std::vector<std::string> found;
    for (auto const& path : source.paths) {
      auto place = source.find(path, context.places);
      if (!place) return place.problem();
      found.push_back(std::move(place).value());
    }
    auto opened = source.open(found);
    if (!opened) return opened.problem();
    if (auto added = joined.add(std::move(opened).value()); !added)
      return Problem{"`" + found.front() + "`: " + added.problem().message};
  }
  return JoinedSamples::single(std::move(joined));
}

}  // namespace

OpenedSamples open_samples(DataReader const& reader, OpenContext const& context) {
  return std::visit([&](auto const& any) { return open_any(any, context); }, reader);
}

OpenedSamples load_samples(DataReader const& reader, OpenContext const& context, bool checks_all) {
  auto samples = open_samples(reader, context);
  if (!samples) return samples;
  if (auto loaded = samples.value()->load(checks_all); !loaded) return loaded.problem();
  return samples;
}

}  // namespace lbann
