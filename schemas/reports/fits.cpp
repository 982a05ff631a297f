// Programs of other meshes, mini-batches and numbers of ranks, until one fits.
#include "schemas/reports/fits.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "schemas/vocabulary/bytes_text.hpp"

namespace lbann {

namespace {

std::int64_t bytes_of(SpecializedProgram const& program) {
  return std::accumulate(program.arena_bytes.begin(), program.arena_bytes.end(), std::int64_t{0});
}

/// Of rank 0, whose parts are the largest along every axis.
Result<SpecializedProgram> program_of(Plan const& plan, RunSize const& size) {
  auto const placement = placement_of(plan, size, 0);
  if (!placement) return placement.problem();
  return specialize(plan, placement.value());
}

/// Bytes of such a run; more than there can be where it is impossible.
std::int64_t bytes_of(Plan const& plan, RunSize const& size) {
  auto const program = program_of(plan, size);
  return program ? bytes_of(program.value()) : std::numeric_limits<std::int64_t>::max();
}

std::vector<LargeItem> largest_items(SpecializedProgram const& program) {
  constexpr std::size_t most = 5;
  std::map<std::string, std::int64_t> bytes;
  for (std::size_t i = 0; i < program.first_range; ++i) {
    auto const& tensor = program.tensors[i];
    if (!program.slots[i].used) continue;
    if (tensor.role == TensorRole::weights)
      bytes[tensor.name] += program.slots[i].bytes;
    else if (tensor.owner.valid())
      bytes[program.tensors[tensor.owner.index()].name] += program.slots[i].bytes;
  }
  std::vector<LargeItem> items;
  for (auto const& [name, size] : bytes)
    items.push_back({"`" + name + "` with gradient and moments", size});
  auto const arena = [&](Arena of, char const* name) {
    items.push_back({name, program.arena_bytes[static_cast<std::size_t>(of)]});
  };
  arena(Arena::activations, "activations and scratch");
  arena(Arena::inputs, "samples");
  items.push_back(
      {"weights, factors and gradients that the ranks of a node share", program.shared_bytes()});
  std::ranges::stable_sort(items, std::ranges::greater{}, &LargeItem::bytes);
  std::erase_if(items, [](LargeItem const& item) { return item.bytes == 0; });
  items.resize(std::min(items.size(), most));
  return items;
}

std::string option_of(std::vector<MeshAxis> const& mesh) {
  std::string text;
  for (auto const& axis : mesh)
    text += (text.empty() ? "--mesh " : ",") + axis.name + "=" + std::to_string(axis.size);
  return text;
}

class Search {
 public:
  Search(Plan const& plan, RunSize size, std::int64_t limit)
      : plan_(plan), any_mesh_(plan), size_(size), limit_(limit) {
    any_mesh_.mesh = {};
  }

  std::vector<FittingEdit> run() {
    other_mesh();
    smaller_mini_batch();
    more_ranks();
    return std::move(edits_);
  }

 private:
  bool add(std::string words, std::int64_t bytes) {
    if (bytes > limit_) return false;
    edits_.push_back({std::move(words), bytes});
    return true;
  }

  /// The mesh of as many ranks that sends the fewest bytes among those that fit.
  void other_mesh() {
    auto const placement = placement_of(plan_, size_, 0);
    if (!placement || batch_axes(plan_.program) == data_axis) return;
    auto const ranks = size_.ranks / placement.value().trainers;
    auto const meshes = possible_meshes(any_mesh_, {}, ranks, micro_batch_size_of(plan_, size_));
    if (!meshes) return;
    for (auto const& [mesh, sent, weights] : meshes.value()) {
      auto other = size_;
      other.mesh = {mesh[0].size, mesh[1].size, mesh[2].size};
      if (weights <= limit_ && add(option_of(mesh), bytes_of(plan_, other))) return;
    }
  }

  /// The largest that fits.
  void smaller_mini_batch() {
    auto const bytes = [&](std::int64_t micro_batch) {
      auto other = size_;
      other.mini_batch = micro_batch * plan_.accumulate;
      return bytes_of(plan_, other);
    };
    std::int64_t good = 0, bad = micro_batch_size_of(plan_, size_);
    while (bad - good > 1) {
      auto const middle = good + (bad - good) / 2;
      (bytes(middle) <= limit_ ? good : bad) = middle;
    }
    if (good > 0) add("mini_batch_size: " + std::to_string(good * plan_.accumulate), bytes(good));
  }

  void more_ranks() {
    auto other = size_;
    other.mesh = {};
    other.procs_per_trainer = 0;
    for (int doubled = 0; doubled < 12; ++doubled) {
      other.ranks *= 2;
      if (add(std::to_string(other.ranks) + " ranks", bytes_of(any_mesh_, other))) return;
    }
  }

  Plan const& plan_;
  Plan any_mesh_;  ///< the same, without a mesh that it asks for
  RunSize size_;
  std::int64_t limit_;
  std::vector<FittingEdit> edits_;
};

}  // namespace

Result<std::int64_t> needed_memory(Plan const& plan, RunSize const& size) {
  auto const program = program_of(plan, size);
  if (!program) return program.problem();
  return bytes_of(program.value());
}

Result<Fit> fit(Plan const& plan, RunSize const& size, std::int64_t limit) {
  auto const program = program_of(plan, size);
  if (!program) return program.problem();
  Fit fit{bytes_of(program.value()), limit, {}, {}};
  if (fit.fits()) return fit;
  fit.items = largest_items(program.value());
  fit.edits = Search(plan, size, limit).run();
  return fit;
}

std::string to_words(std::vector<FittingEdit> const& edits) {
  std::string text;
  for (auto const& edit : edits)
    text += (text.empty() ? "; it fits with " : ", or with ") + edit.words + " (" +
            bytes_text(edit.bytes) + ")";
  return text;
}

}  // namespace lbann
