// Messages and computing, in order of execution.
#include "schemas/reports/replay.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "schemas/program/distribution.hpp"
#include "schemas/reports/trace.hpp"
#include "schemas/specialization/exchange.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

namespace {

/// Bytes from which a sum is made in a ring.
constexpr std::int64_t ring_bytes = 1 << 16;

std::vector<SumRound> ring(std::int64_t ranks, std::int64_t index, std::int64_t bytes) {
  auto const next = (index + 1) % ranks, last = (index + ranks - 1) % ranks;
  return std::vector<SumRound>(static_cast<std::size_t>(2 * (ranks - 1)),
                               {next, last, (bytes + ranks - 1) / ranks});
}

std::vector<SumRound> doubling(std::int64_t ranks, std::int64_t index, std::int64_t bytes) {
  // The first ranks beyond a power of two join in pairs before, and are told the sum at the end.
  auto const power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(ranks)));
  auto const more = ranks - power;
  if (index < 2 * more && index % 2 == 0) return {{index + 1, -1, bytes}, {-1, index + 1, bytes}};
  bool const in_pair = index < 2 * more;
  std::vector<SumRound> rounds;
  if (in_pair) rounds.push_back({-1, index - 1, bytes});
  auto const place = in_pair ? index / 2 : index - more;
  for (std::int64_t bit = 1; bit < power; bit *= 2) {
    auto const other = place ^ bit;
    auto const peer = other < more ? 2 * other + 1 : other + more;
    rounds.push_back({peer, peer, bytes});
  }
  if (in_pair) rounds.push_back({index - 1, -1, bytes});
  return rounds;
}

class Replay {
 public:
  Replay(SpecializedProgram const& program, SpecializedEntry const& entry, Machine const& machine)
      : program_(program),
        entry_(entry),
        waits_(entry.messages.size()),
        rank_(std::to_string(program.rank)) {
    for (auto& trace : report_trace(program, machine))
      if (trace.entry == entry.name) trace_ = std::move(trace);
  }

  std::string run() {
    text_ = rank_ + " init\n";
    std::size_t next = 0;
    for (std::size_t i = 0; i < entry_.instructions.size(); ++i) {
      for (; next < entry_.messages.size() && entry_.messages[next].posted == i &&
             entry_.messages[next].kind != Message::Kind::collective;
           ++next)
        pending_.push_back(next);
      await(i);
      if (next < entry_.messages.size() && entry_.messages[next].posted == i) post(next++);
      seconds_ += trace_.instructions[i].seconds;
    }
    await(entry_.instructions.size());
    compute();
    add("finalize");
    return std::move(text_);
  }

 private:
  void add(std::string const& action) { text_ += rank_ + " " + action + "\n"; }

  /// Writes down what was computed since the last message.
  void compute() {
    auto const nanoseconds = std::llround(seconds_ * 1e9);
    seconds_ = 0;
    if (nanoseconds > 0) add("compute " + std::to_string(nanoseconds));
  }

  /// A tag that no other message between two ranks has.
  std::string tag(std::size_t message, std::size_t piece) const {
    return std::to_string(message * most_pieces + piece);
  }

  void receive(std::size_t message, std::int64_t from, std::string const& tag, std::int64_t bytes) {
    auto const peer = std::to_string(from);
    add("irecv " + peer + " " + tag + " " + std::to_string(bytes));
    waits_[message].push_back("wait " + peer + " " + rank_ + " " + tag);
  }
  void send(std::size_t message, std::int64_t to, std::string const& tag, std::int64_t bytes) {
    auto const peer = std::to_string(to);
    add("isend " + peer + " " + tag + " " + std::to_string(bytes));
    waits_[message].push_back("wait " + rank_ + " " + peer + " " + tag);
  }
  void wait(std::size_t message) {
    for (auto const& action : waits_[message]) add(action);
    waits_[message].clear();
  }

  void post(std::size_t message) {
    pending_.push_back(message);
    auto const& instruction = entry_.instructions[entry_.messages[message].posted];
    if (is_sum(instruction)) return;
    compute();
    auto const element = static_cast<std::int64_t>(
        bytes_of(program_.tensors[instruction.inputs[0].index()].type.type));
    auto const exchange = exchange_of(program_, instruction, program_.mini_batch);
    auto const each = [&](std::vector<ExchangedPiece> const& pieces, auto const& visit) {
      std::map<std::int64_t, std::size_t> count;
      for (auto const& piece : pieces)
        if (piece.peer != program_.rank)
          visit(message, piece.peer, tag(message, count[piece.peer]++), piece.elements * element);
    };
    each(exchange.receives, [&](auto const&... args) { receive(args...); });
    each(exchange.sends, [&](auto const&... args) { send(args...); });
  }

  void await(std::size_t instruction) {
    std::erase_if(pending_, [&](std::size_t message) {
      auto const& info = entry_.messages[message];
      if (info.needed > instruction) return false;
      compute();
      if (info.kind != Message::Kind::collective)
        add("barrier");
      else if (auto const& posts = entry_.instructions[info.posted]; is_sum(posts))
        sum(message, posts);
      else
        wait(message);
      return true;
    });
  }

  void sum(std::size_t message, Instruction const& instruction) {
    MeshAxes names;
    auto const axes = names.set_of(*axes_of_collective(instruction.op)).value();
    auto const group = program_.mesh.group(axes, program_.rank);
    auto const index = std::ranges::find(group, program_.rank) - group.begin();
    auto const input = instruction.inputs[0];
    auto const& type = program_.tensors[input.index()].type;
    auto const bytes = type.shape.elements(program_.samples(input, program_.mini_batch)) *
                       static_cast<std::int64_t>(bytes_of(type.type));
    // Messages between two ranks keep their order.
    auto const same = tag(message, 0);
    for (auto const& [to, from, sent] : sum_rounds(std::ssize(group), index, bytes)) {
      auto const at = [&](std::int64_t place) { return group[static_cast<std::size_t>(place)]; };
      if (from >= 0) receive(message, at(from), same, sent);
      if (to >= 0) send(message, at(to), same, sent);
      wait(message);
    }
  }

  static constexpr std::size_t most_pieces = 1 << 12;

  SpecializedProgram const& program_;
  SpecializedEntry const& entry_;
  EntryTrace trace_;
  std::vector<std::vector<std::string>> waits_;  ///< per message: what it is awaited by
  std::vector<std::size_t> pending_;             ///< messages, in the order of posting
  std::string rank_, text_;
  double seconds_ = 0;  ///< computed since the last message
};

}  // namespace

std::vector<SumRound> sum_rounds(std::int64_t ranks, std::int64_t index, std::int64_t bytes) {
  if (ranks < 2 || bytes == 0) return {};
  return bytes < ring_bytes || ranks == 2 ? doubling(ranks, index, bytes)
                                          : ring(ranks, index, bytes);
}

std::string replay_of(SpecializedProgram const& program, std::string_view entry,
                      Machine const& machine) {
  auto const* found = program.entry(entry);
  return found == nullptr ? std::string() : Replay(program, *found, machine).run();
}

}  // namespace lbann
