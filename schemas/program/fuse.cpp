// Which instructions join, and where the joined one stands.
#include "schemas/program/fuse.hpp"

#include <algorithm>
#include <unordered_map>

#include "schemas/program/join.hpp"

namespace lbann {

namespace {

/// Readers of one tensor looked at, and siblings tried, at most; and how far a map may move where
/// that makes the lives of other tensors longer.
constexpr std::size_t max_readers = 64, max_siblings = 4, max_distance = 64;

/// For each tensor the instructions that use it, the last added first.
class InstructionUses {
 public:
  explicit InstructionUses(std::size_t tensors) : heads_(tensors, none) {}

  void add(TensorId tensor, std::size_t instruction) {
    links_.push_back({static_cast<std::uint32_t>(instruction), heads_[tensor.index()]});
    heads_[tensor.index()] = static_cast<std::uint32_t>(links_.size() - 1);
  }

  /// Whether `predicate` holds for one of the users of `tensor`.
  template <class Predicate>
  bool any_of(TensorId tensor, Predicate const& predicate) const {
    for (auto at = heads_[tensor.index()]; at != none; at = links_[at].next)
      if (predicate(std::size_t{links_[at].instruction})) return true;
    return false;
  }

  bool more_than(TensorId tensor, std::size_t most) const {
    std::size_t count = 0;
    return any_of(tensor, [&](std::size_t) { return ++count > most; });
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Link {
    std::uint32_t instruction, next;
  };

  std::vector<std::uint32_t> heads_;
  std::vector<Link> links_;
};

/// The instructions of one entry point while they are joined. A joined instruction takes the index
/// of one of the two; the other index becomes empty and points to it.
class Fuser {
 public:
  Fuser(Program const& program, EntryPoint& entry)
      : program_(program),
        instructions_(entry.instructions),
        writers_(program.tensors.size()),
        readers_(program.tensors.size()) {
    auto const count = instructions_.size();
    moved_to_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      moved_to_[i] = i;
      for (auto id : instructions_[i].outputs) writers_.add(id, i);
      for (auto id : instructions_[i].inputs) readers_.add(id, i);
    }
  }

  void run() {
    for (std::size_t i = 0; i < instructions_.size(); ++i) inline_constants(i);
    for (std::size_t i = 0; i < instructions_.size(); ++i) fuse_upwards(i);
    for (std::size_t i = 0; i < instructions_.size(); ++i) fuse_sibling(i);
    std::size_t index = 0;
    std::erase_if(instructions_, [&](Instruction const&) {
      auto const gone = moved_to_[index] != index;
      ++index;
      return gone;
    });
  }

 private:
  std::size_t place_of(std::size_t index) {
    while (moved_to_[index] != index) index = moved_to_[index] = moved_to_[moved_to_[index]];
    return index;
  }

  bool is_map(std::size_t index) const {
    return std::holds_alternative<operators::map>(instructions_[index].op);
  }

  bool can_lead(std::size_t index) const {
    return is_map(index) || epilogue_of(instructions_[index].op) != nullptr;
  }

  /// Whether a user of `id` stands between `a` and `b`.
  bool any_between(InstructionUses const& uses, TensorId id, std::size_t a, std::size_t b) {
    return uses.any_of(id, [&](std::size_t index) {
      auto const place = place_of(index);
      return place > a && place < b;
    });
  }

  bool writes(std::size_t index, TensorId id) const {
    auto const& outputs = instructions_[index].outputs;
    return std::find(outputs.begin(), outputs.end(), id) != outputs.end();
  }

  bool reads(std::size_t index, TensorId id) const {
    auto const& inputs = instructions_[index].inputs;
    return std::find(inputs.begin(), inputs.end(), id) != inputs.end();
  }

  /// Whether `second` may run where `first` stands: its operands are there, and nobody between
  /// minds its outputs.
  bool may_rise(std::size_t first, std::size_t second) {
    for (auto id : instructions_[second].inputs)
      if (any_between(writers_, id, first, second)) return false;
    for (auto id : instructions_[second].outputs) {
      if (readers_.more_than(id, max_readers) && is_state(program_[id].role)) return false;
      if (any_between(writers_, id, first, second) || any_between(readers_, id, first, second))
        return false;
    }
    return true;
  }

  /// Whether everything that an instruction reads is kept anyway, or is a single number.
  bool reads_lasting(std::size_t index) const {
    return std::ranges::all_of(instructions_[index].inputs, [&](TensorId id) {
      auto const& shape = program_[id].type.shape;
      return is_state(program_[id].role) || (!shape.has_batch() && shape.elements(1) == 1);
    });
  }

  /// Whether `first` may wait for `second`: nobody between needs what it writes, or changes what
  /// it reads.
  bool may_sink(std::size_t first, std::size_t second) {
    for (auto id : instructions_[first].inputs)
      if (any_between(writers_, id, first, second)) return false;
    for (auto id : instructions_[first].outputs) {
      if (readers_.more_than(id, max_readers)) return false;
      if (any_between(writers_, id, first, second) || any_between(readers_, id, first, second))
        return false;
    }
    return true;
  }

  /// Whether `id`, written by `first`, must be stored even if `second` takes it from the registers.
  bool is_kept(TensorId id, std::size_t first, std::size_t second) {
    auto const role = program_[id].role;
    if (role != TensorRole::activation && role != TensorRole::gradient) return true;
    // What nobody reads was not written for nothing.
    if (role == TensorRole::gradient && !reads(second, id)) return true;
    return readers_.any_of(id, [&](std::size_t index) {
      auto const place = place_of(index);
      return place != second && place != first && reads(place, id);
    });
  }

  /// Joins two instructions if that is allowed; gives the place of the result.
  std::optional<std::size_t> join(std::size_t first, std::size_t second) {
    std::vector<TensorId> kept;
    bool stores_operand = false;
    for (auto id : instructions_[first].outputs)
      if (is_kept(id, first, second)) {
        kept.push_back(id);
        stores_operand = stores_operand || reads(second, id);
      }
    auto const distance = second - first;
    auto const rises = (!stores_operand || distance <= max_distance) && may_rise(first, second);
    bool const may_wait = distance <= max_distance || reads_lasting(first);
    auto const sinks = !rises && may_wait && may_sink(first, second);
    if (!rises && !sinks) return std::nullopt;
    // An operand the second overwrites is not written by the first as well.
    for (auto id : instructions_[second].outputs)
      if (writes(first, id)) return std::nullopt;
    auto instruction = joined(program_, instructions_[first], instructions_[second], kept);
    if (!instruction) return std::nullopt;
    auto const place = rises ? first : second, other = rises ? second : first;
    for (auto id : instruction->outputs)
      if (!writes(place, id)) writers_.add(id, place);
    for (auto id : instruction->inputs)
      if (!reads(place, id)) readers_.add(id, place);
    instructions_[place] = std::move(*instruction);
    instructions_[other] = {};
    moved_to_[other] = place;
    return place;
  }

  /// Replaces operands that are made of nothing by what they are.
  void inline_constants(std::size_t index) {
    for (auto const id : instructions_[index].inputs) {
      if (is_state(program_[id].role) || writers_.more_than(id, 1)) continue;
      auto maker = index;
      writers_.any_of(id, [&](std::size_t writer) { return maker = writer, true; });
      if (maker == index || !is_map(maker) || !instructions_[maker].inputs.empty()) continue;
      if (auto replaced = with_constants(program_, instructions_[maker], instructions_[index])) {
        instructions_[index] = std::move(*replaced);
        return inline_constants(index);
      }
    }
  }

  /// Joins a map or reduce with makers of its operands as long as one joins: with maps first, since
  /// what has become a product's epilogue takes in no more of them, and with the latest first.
  void fuse_upwards(std::size_t index) {
    auto const sums = std::holds_alternative<operators::reduce>(instructions_[index].op);
    if (moved_to_[index] != index || (!is_map(index) && !sums)) return;
    std::vector<std::size_t> makers;
    for (bool again = true; again;) {
      again = false;
      makers.clear();
      for (auto id : instructions_[index].inputs)
        writers_.any_of(id, [&](std::size_t writer) {
          auto const place = place_of(writer);
          if (place < index && writes(place, id) && can_lead(place)) makers.push_back(place);
          return false;
        });
      std::ranges::sort(makers, std::greater<>(),
                        [&](std::size_t maker) { return std::pair(is_map(maker), maker); });
      makers.erase(std::unique(makers.begin(), makers.end()), makers.end());
      for (auto const maker : makers) {
        // A sum stays where it is, and takes in only what it alone reads.
        if (sums && !is_map(maker)) continue;
        if (auto const place = join(maker, index)) {
          if (!is_map(*place) && !sums) return;
          index = *place;
          again = true;
          break;
        }
      }
    }
  }

  /// Joins a map with an earlier one of its shape that reads one of its operands, or any earlier
  /// one if both are of single numbers.
  void fuse_sibling(std::size_t index) {
    if (moved_to_[index] != index || !is_map(index)) return;
    auto const& map = std::get<operators::map>(instructions_[index].op);
    if (map.shape.rank() == 0) {
      auto& last = last_scalar_[map.compute == DataType::f64 ? 1 : 0];
      if (last && place_of(*last) < index)
        if (auto const place = join(place_of(*last), index)) {
          last = place;
          return;
        }
      last = index;
      return;
    }
    for (auto id : instructions_[index].inputs) {
      if (program_[id].type.shape != map.shape) continue;
      std::size_t tried = 0;
      auto sibling = index;
      seen_.any_of(id, [&](std::size_t earlier) {
        auto const place = place_of(earlier);
        if (++tried > max_siblings || place >= index || index - place > max_distance) return true;
        if (is_map(place) && join(place, index)) sibling = place;
        return sibling != index;
      });
      if (sibling != index) return;
    }
    for (auto id : instructions_[index].inputs) seen_.add(id, index);
  }

  Program const& program_;
  std::vector<Instruction>& instructions_;
  std::vector<std::size_t> moved_to_;              ///< per index: itself while it stands
  InstructionUses writers_, readers_;              ///< may tell of more than there still are
  InstructionUses seen_{program_.tensors.size()};  ///< maps that found no sibling, by operand
  std::optional<std::size_t> last_scalar_[2];      ///< latest map of numbers by type
};

}  // namespace

void fuse(Program& program) {
  for (auto& entry : program.entry_points) {
    remove_dead(program, entry);
    hoist(program, entry);
    Fuser(program, entry).run();
    sink_outputs(program, entry);
    remove_dead(program, entry);
  }
}

}  // namespace lbann
