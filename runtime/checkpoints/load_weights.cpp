// Finds arrays for weights, checks all of them, then reads them.
#include "runtime/checkpoints/load_weights.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#include "runtime/checkpoints/npy.hpp"
#include "runtime/checkpoints/stored_arrays.hpp"
#include "runtime/checkpoints/torch_names.hpp"
#include "runtime/execution/whole_tensor.hpp"
#include "schemas/callbacks/renaming.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/plan/location.hpp"
#include "schemas/vocabulary/nearest.hpp"

namespace lbann::runtime {

namespace {

using callbacks::Renaming;

/// Lines of one message.
class Lines {
 public:
  void add(std::string const& line) { text_ += (text_.empty() ? "" : "\n") + line; }
  bool empty() const { return text_.empty(); }
  Problem problem() const { return {text_}; }

 private:
  std::string text_;
};

/// One path's arrays under the names that the model is to know them by.
struct Source {
  std::filesystem::path path;
  std::map<std::string, StoredArray, std::less<>> arrays;
  std::set<std::string, std::less<>> used;  ///< names of arrays that weights take
};

/// A rule and whether any name has matched it.
struct Rule {
  std::string text;
  Renaming renaming;
  bool matched = false;
};

/// The array that a weights object is read from.
struct Match {
  std::size_t source = 0;
  std::string name;       ///< of the array, after renaming
  bool of_torch = false;  ///< it is PyTorch's name
};

struct Reading {
  NpyFile array;
  TensorPart part;  ///< that this rank holds
  bool transposed = false;
};

Result<std::vector<Rule>> rules_of(std::vector<std::string> const& texts) {
  std::vector<Rule> rules;
  for (auto const& text : texts) {
    auto renaming = Renaming::parse(text);
    if (!renaming) return Problem{'`' + text + "` is no renaming: " + renaming.problem().message};
    rules.push_back({text, std::move(renaming).value()});
  }
  return rules;
}

std::string renamed(std::string const& name, std::vector<Rule>& rules) {
  for (auto& rule : rules)
    if (auto other = rule.renaming.apply(name)) {
      rule.matched = true;
      return *std::move(other);
    }
  return name;
}

Result<Source> open_source(std::filesystem::path const& path, std::string const& extension,
                           std::vector<Rule>& rules) {
  auto found = find_stored_arrays(path, extension);
  if (!found) return found.problem();
  Source source{path, {}, {}};
  for (auto& array : found.value()) {
    auto const name = renamed(array.name, rules);
    auto const [place, added] = source.arrays.try_emplace(name, array);
    if (!added)
      return Problem{path.string() + ": `" + place->second.name + "` and `" + array.name +
                     "` are both `" + name + "` after renaming"};
  }
  return source;
}

/// Names of one path's array for these weights, or nothing.
std::optional<Match> match_in(Source const& source, std::size_t number,
                              WeightsInfo const& weights) {
  if (source.arrays.contains(weights.name)) return Match{number, weights.name};
  auto const torch = torch_name(weights.name);
  if (torch && source.arrays.contains(*torch)) return Match{number, *torch, true};
  return std::nullopt;
}

/// What may have been meant, as the end of a message.
std::string likely_names(std::string const& weights, std::vector<std::string_view> const& names) {
  auto likely = nearest(weights, names);
  if (likely.empty()) likely = nearest(torch_name(weights).value_or(""), names);
  std::string text;
  for (auto const& name : likely) text += (text.empty() ? "`" : ", `") + name + '`';
  return text.empty() ? text : "; is it " + text + '?';
}

std::vector<std::string_view> names_in(std::vector<Source> const& sources) {
  std::vector<std::string_view> names;
  for (auto const& source : sources)
    for (auto const& [name, array] : source.arrays) names.push_back(name);
  return names;
}

/// The array, of the weights' type and shape.
Result<Reading> open_checked(StoredArray const& array, Match const& match,
                             WeightsInfo const& weights, Executor const& executor) {
  auto opened = array.open();
  if (!opened) return opened.problem();
  auto& file = opened.value();
  auto const type = executor.place(weights.tensor, 0).type;
  bool const transposed = match.of_torch && weights.inputs_first && weights.dims.size() == 2;
  auto dims = weights.dims;
  if (transposed) std::swap(dims[0], dims[1]);
  if (tensor_type(file.number) != type || file.dims != dims) {
    auto const needed =
        transposed ? " and `" + match.name + "` is to be " + runtime::describe(type, dims) : "";
    return Problem{"weights `" + weights.name + "` are " + runtime::describe(type, weights.dims) +
                   needed + ", " + file.file.name() + " holds " +
                   runtime::describe({file.dims, file.number, file.begin, file.numbers})};
  }
  if (auto loaded = file.load(true); !loaded) return loaded.problem();
  return Reading{std::move(file), part_of(executor, weights.tensor), transposed};
}

/// `to` [rows, columns] of elements of `width` bytes, from [columns, rows].
void transpose(std::span<std::byte const> from, std::span<std::byte> to, std::size_t rows,
               std::size_t columns, std::size_t width) {
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      std::memcpy(to.data() + (row * columns + column) * width,
                  from.data() + (column * rows + row) * width, width);
}

/// Reads the whole array to `bytes`.
Result<Success> read(Reading const& reading, std::span<std::byte> bytes) {
  auto const& array = reading.array;
  auto const count = static_cast<std::int64_t>(bytes.size());
  if (!reading.transposed)
    return array.file.copy(array.begin, count, reinterpret_cast<std::uint8_t*>(bytes.data()));
  auto const stored = array.file.bytes(array.begin, count);
  if (!stored) return stored.problem();
  if (bytes.empty()) return Success{};
  transpose(std::as_bytes(std::span(stored.value())), bytes,
            static_cast<std::size_t>(array.dims[1]), static_cast<std::size_t>(array.dims[0]),
            static_cast<std::size_t>(bytes_of(array.number)));
  return Success{};
}

/// Reads what this rank holds.
Result<Success> read(Reading const& reading) {
  auto const& part = reading.part;
  if (part.memory == nullptr) return read(reading, {});
  auto const count = static_cast<std::size_t>(part.bytes_of_whole());
  if (part.is_whole()) return read(reading, {part.memory, count});
  std::vector<std::byte> whole(count);
  auto done = read(reading, whole);
  if (done) take_part(part, whole.data());
  return done;
}

std::string listed(std::string_view words, std::vector<std::string> const& names) {
  constexpr std::size_t most = 8;
  if (names.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    text += (i == 0 ? "`" : ", `") + names[i] + '`';
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return std::string(words) + ": " + text;
}

/// Matches of all weights, and the weights of each path.
class Matching {
 public:
  Matching(std::vector<Source>& sources, Plan const& plan) : sources_(sources) {
    for (auto const& source : sources)
      paths_.push_back({source.path, plan.weights.size(), {}, {}, {}, {}});
    for (auto const& weights : plan.weights) matches_.push_back(match(weights));
    for (std::size_t i = 0; i < sources.size(); ++i)
      for (auto const& [name, array] : sources[i].arrays)
        if (!sources[i].used.contains(name)) paths_[i].unused.push_back(array.name);
  }

  std::vector<std::optional<Match>> const& matches() const { return matches_; }
  std::vector<LoadedPath> const& paths() const { return paths_; }
  bool nothing() const {
    return std::ranges::none_of(matches_, [](auto const& found) { return found.has_value(); });
  }

 private:
  std::optional<Match> match(WeightsInfo const& weights) {
    std::optional<Match> last;
    for (auto i = sources_.size(); i-- > 0;) {
      auto const found = match_in(sources_[i], i, weights);
      auto& path = paths_[i];
      (!found ? path.missing : last ? path.elsewhere : path.loaded).push_back(weights.name);
      if (found) sources_[i].used.insert(found->name);
      if (found && !last) last = found;
    }
    return last;
  }

  std::vector<Source>& sources_;
  std::vector<std::optional<Match>> matches_;
  std::vector<LoadedPath> paths_;
};

std::string place_of_missing(std::filesystem::path const& path, std::string const& extension,
                             std::string const& name) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return "no file " + (path / file_name(name + '.' + extension)).string();
  return path.string() + " has no array of this name";
}

/// What is wrong with names: rules without effect, weights without an array.
void check_names(WeightsToLoad const& wanted, std::vector<Source> const& sources,
                 std::vector<Rule> const& rules, Matching const& matching, Plan const& plan,
                 Lines& problems) {
  auto const names = names_in(sources);
  for (auto const& rule : rules)
    if (!rule.matched) problems.add("renaming `" + rule.text + "` matches no name");
  if (sources.empty()) return;
  auto const& last = sources.back().path;
  bool const nothing = matching.nothing() && !plan.weights.empty();
  if (wanted.partial && nothing)
    problems.add(last.string() + ": has none of the model's weights, so nothing would be loaded");
  if (wanted.partial && !nothing) return;
  for (std::size_t i = 0; i < plan.weights.size(); ++i)
    if (auto const& weights = plan.weights[i]; !matching.matches()[i])
      problems.add(located(plan.sources, weights.span,
                           "weights `" + weights.name +
                               "`: " + place_of_missing(last, wanted.extension, weights.name) +
                               likely_names(weights.name, names)));
}

}  // namespace

std::filesystem::path find_weights(std::filesystem::path const& path,
                                   std::vector<std::filesystem::path> const& folders) {
  for (auto const& folder : folders) {
    std::error_code error;
    auto found = std::filesystem::canonical(folder / path, error);
    if (!error) return found;
  }
  return path;
}

Result<std::vector<LoadedPath>> load_weights(WeightsToLoad const& wanted, Executor const& executor,
                                             Plan const& plan) {
  auto rules = rules_of(wanted.renames);
  if (!rules) return rules.problem();
  Lines problems;
  std::vector<Source> sources;
  for (auto const& path : wanted.paths) {
    auto source = open_source(path, wanted.extension, rules.value());
    if (source)
      sources.push_back(std::move(source).value());
    else
      problems.add(source.problem().message);
  }
  if (!problems.empty()) return problems.problem();

  Matching const matching(sources, plan);
  check_names(wanted, sources, rules.value(), matching, plan, problems);
  std::vector<Reading> readings;
  for (std::size_t i = 0; i < plan.weights.size(); ++i) {
    auto const& match = matching.matches()[i];
    if (!match) continue;
    auto const& array = sources[match->source].arrays.find(match->name)->second;
    auto reading = open_checked(array, *match, plan.weights[i], executor);
    if (reading)
      readings.push_back(std::move(reading).value());
    else
      problems.add(located(plan.sources, plan.weights[i].span, reading.problem().message));
  }
  if (!problems.empty()) return problems.problem();
  for (auto const& reading : readings)
    if (auto done = read(reading); !done) return done.problem();
  for (auto const& weights : plan.weights) executor.put(weights.tensor);
  return matching.paths();
}

std::string line_of(LoadedPath const& loaded) {
  std::string rest;
  for (auto const& part :
       {listed("not in it", loaded.missing), listed("taken from a later one", loaded.elsewhere),
        listed("not used", loaded.unused)})
    if (!part.empty()) rest += (rest.empty() ? "" : "; ") + part;
  return "weights loaded from " + loaded.path.string() + ": " +
         std::to_string(loaded.loaded.size()) + " of " + std::to_string(loaded.weights) +
         (rest.empty() ? "" : " (" + rest + ")");
}

}  // namespace lbann::runtime
