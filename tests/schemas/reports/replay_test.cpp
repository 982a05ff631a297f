// Traces for SimGrid: played through on all ranks, they end, and say what the other reports say.
#include "schemas/reports/replay.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <map>
#include <set>
#include <sstream>

#include "schemas/program/distribution.hpp"
#include "schemas/reports/messages.hpp"
#include "schemas/reports/trace.hpp"
#include "tests/schemas/specialization/plan_of.hpp"

using namespace lbann;

namespace {

/// A product with split weights and its gradient's sum, as of a step.
Plan model_parallel() {
  auto plan = tests::plan_of(
      "tensor samples: input f32 [batch, 12] split [[data, rows, columns], []]\n"
      "tensor x: activation f32 [batch, 12] split [[data, rows], [columns]]\n"
      "tensor w: weights f32 [10, 12] split [[rows], [columns]]\n"
      "tensor moved: activation f32 [batch, 12] split [[data], [columns]]\n"
      "tensor part: activation f32 [batch, 10] split [[data], [rows]] partial [columns]\n"
      "tensor y: activation f32 [batch, 10] split [[data, columns], [rows]]\n"
      "tensor sum: activation f64 [] partial [data, rows, columns]\n"
      "tensor loss: result f64 []\n"
      "entry train:\n"
      "  x = all_to_all(samples) {mesh_axes: [columns]}\n"
      "  moved = all_gather(x) {mesh_axes: [rows]}\n"
      "  part = matmul(moved, w) {transpose_b: true}\n"
      "  y = reduce_scatter(part) {mesh_axes: [columns]}\n"
      "  sum = reduce(y) {expression: (i0), shape: [batch, 10], axes: [0, 1], type: f64}\n"
      "  loss = all_reduce(sum) {mesh_axes: [data, rows, columns]}\n",
      23);
  return plan;
}

using Action = std::vector<std::string>;

std::vector<Action> actions(std::string const& text) {
  std::vector<Action> list;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    auto& action = list.emplace_back();
    for (std::string word; words >> word;) action.push_back(word);
  }
  return list;
}

/// Plays traces: a wait for what was received goes on when that was sent. Whether all come to an
/// end, and everything that was sent was received with its size.
bool ends(std::vector<std::vector<Action>> const& ranks) {
  std::map<Action, std::deque<std::string>> sent;  // by from, to, tag: sizes
  std::map<Action, std::deque<std::string>> wanted;
  std::vector<std::size_t> at(ranks.size(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      for (; at[r] < ranks[r].size(); ++at[r], moved = true) {
        auto const& action = ranks[r][at[r]];
        if (action[1] == "isend") sent[{action[0], action[2], action[3]}].push_back(action[4]);
        if (action[1] == "irecv") wanted[{action[2], action[0], action[3]}].push_back(action[4]);
        // Sends leave by themselves.
        if (action[1] != "wait" || action[3] != action[0]) continue;
        Action const key{action[2], action[3], action[4]};
        if (sent[key].empty()) break;
        if (sent[key].front() != wanted[key].front()) return false;
        sent[key].pop_front();
        wanted[key].pop_front();
      }
  }
  for (auto const* left : {&sent, &wanted})
    for (auto const& [key, sizes] : *left)
      if (!sizes.empty()) return false;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    if (at[r] < ranks[r].size()) return false;
  return true;
}

}  // namespace

TEST_CASE("after the rounds of a sum every rank has what all had") {
  for (std::int64_t ranks = 2; ranks <= 17; ++ranks) {
    CAPTURE(ranks);
    std::vector<std::multiset<std::int64_t>> held;
    std::vector<std::vector<SumRound>> rounds;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      held.push_back({rank});
      rounds.push_back(sum_rounds(ranks, rank, 100));
    }
    std::vector<std::size_t> at(held.size(), 0);
    // A round is over when both its messages are there; whoever is told the sum forgets its part.
    std::map<std::pair<std::int64_t, std::int64_t>, std::deque<std::multiset<std::int64_t>>> mail;
    std::vector<bool> posted(held.size(), false);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t r = 0; r < held.size(); ++r) {
        if (at[r] == rounds[r].size()) continue;
        auto const& round = rounds[r][at[r]];
        auto const rank = static_cast<std::int64_t>(r);
        if (!posted[r] && round.to >= 0) mail[{rank, round.to}].push_back(held[r]);
        posted[r] = true;
        if (round.from >= 0) {
          auto& arrived = mail[{round.from, rank}];
          if (arrived.empty()) continue;
          if (static_cast<std::int64_t>(arrived.front().size()) == ranks)
            held[r] = arrived.front();
          else
            held[r].merge(arrived.front());
          arrived.pop_front();
        }
        posted[r] = false;
        ++at[r];
        moved = true;
      }
    }
    for (std::size_t r = 0; r < held.size(); ++r) {
      CHECK(at[r] == rounds[r].size());
      CHECK(std::ssize(held[r]) == ranks);
      CHECK(std::set(held[r].begin(), held[r].end()).size() == held[r].size());
    }
  }
}

TEST_CASE("a large sum goes round a ring twice") {
  auto const rounds = sum_rounds(6, 5, 600000);
  CHECK(rounds.size() == 10);
  for (auto const& round : rounds) {
    CHECK(round.to == 0);
    CHECK(round.from == 4);
    CHECK(round.bytes == 100000);
  }
  CHECK(sum_rounds(1, 0, 600000).empty());
}

TEST_CASE("traces of all ranks end, with the bytes and seconds of the reports") {
  Machine const machine{1e9, 1e9, 1e9, 1e-6};
  for (std::int64_t block_size : {0, 3, 8})
    for (std::int64_t data : {1, 2})
      for (std::int64_t rows : {1, 2, 3})
        for (std::int64_t columns : {1, 2}) {
          auto plan = model_parallel();
          plan.hydrogen_block_size = block_size;
          Placement placement;
          placement.mesh = {{"data", data}, {"rows", rows}, {"columns", columns}};
          placement.mini_batch = plan.mini_batch_size;
          std::vector<std::vector<Action>> ranks;
          for (; placement.rank < data * rows * columns; ++placement.rank) {
            auto const program = specialize(plan, placement);
            REQUIRE(program.good());
            ranks.push_back(actions(replay_of(program.value(), "train", machine)));
            // Of exchanges; tags tell messages apart.
            std::multiset<std::int64_t> told, found;
            auto const messages = report_messages(program.value());
            for (auto const& message : messages.front().messages)
              if (message.kind != "all_reduce")
                told.insert(message.sends.begin(), message.sends.end());
            std::set<std::size_t> sums;
            auto const& entry = program.value().entries.front();
            for (std::size_t i = 0; i < entry.messages.size(); ++i)
              if (name_of(entry.instructions[entry.messages[i].posted].op) == "all_reduce")
                sums.insert(i);
            double seconds = 0;
            for (auto const& action : ranks.back()) {
              if (action[1] == "compute") seconds += std::stod(action[2]) / 1e9;
              if (action[1] == "isend" && !sums.contains(std::stoul(action[3]) >> 12))
                found.insert(std::stol(action[4]));
            }
            CHECK(found == told);
            double expected = 0;
            auto const trace = report_trace(program.value(), machine);
            for (auto const& each : trace.front().instructions) expected += each.seconds;
            CHECK(seconds == doctest::Approx(expected).epsilon(1e-3));
          }
          CHECK(ends(ranks));
        }
}
