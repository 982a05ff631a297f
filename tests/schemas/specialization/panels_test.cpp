// Panels: they cover a mini-batch, their exchanges make up the whole one, and they are cut where
// products are between exchanges.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "schemas/specialization/exchange.hpp"
#include "schemas/specialization/panel_samples.hpp"
#include "schemas/specialization/pipeline.hpp"
#include "schemas/specialization/specialization.hpp"
#include "tests/schemas/specialization/plan_of.hpp"

using namespace lbann;

namespace {

std::vector<MeshAxis> mesh_of(std::int64_t data, std::int64_t rows, std::int64_t columns) {
  return {{"data", data}, {"rows", rows}, {"columns", columns}};
}

/// Per peer: the elements of pieces, by place in what the rank holds, in the order of messages.
using Elements = std::map<std::int64_t, std::vector<std::vector<std::int64_t>>>;

void add(Elements& elements, std::vector<ExchangedPiece> const& pieces,
         std::vector<std::int64_t> const& extents) {
  for (auto const& piece : pieces) {
    auto& list = elements[piece.peer].emplace_back();
    for (std::int64_t entry = 0; entry < piece.elements; ++entry) {
      std::int64_t rest = entry, at = 0, stride = 1;
      for (auto d = piece.box.rank; d-- > 0; stride *= extents[d]) {
        at += (piece.box.parts[d].begin + rest % piece.box.parts[d].size) * stride;
        rest /= piece.box.parts[d].size;
      }
      list.push_back(at);
    }
  }
}

std::map<std::int64_t, std::vector<std::int64_t>> sorted(Elements const& elements) {
  std::map<std::int64_t, std::vector<std::int64_t>> all;
  for (auto const& [peer, lists] : elements) {
    for (auto const& list : lists) all[peer].insert(all[peer].end(), list.begin(), list.end());
    std::ranges::sort(all[peer]);
  }
  return all;
}

std::vector<std::int64_t> sizes(Elements const& elements, std::int64_t peer) {
  std::vector<std::int64_t> list;
  if (auto const found = elements.find(peer); found != elements.end())
    for (auto const& each : found->second) list.push_back(std::ssize(each));
  return list;
}

/// One layer of six outputs and four inputs, its weights on rows and columns, forward.
Plan product_plan(std::int64_t block_size) {
  auto plan = tests::plan_of(
      "tensor x: input f32 [batch, 4] split [[data, rows, columns], []]\n"
      "tensor w: weights f32 [6, 4] split [[rows], [columns]]\n"
      "tensor moved: activation f32 [batch, 4] split [[data], [columns]]\n"
      "tensor part: activation f32 [batch, 6] split [[data], [rows]] partial [columns]\n"
      "tensor y: activation f32 [batch, 6] split [[data, columns], [rows]]\n"
      "tensor sum: activation f64 [] partial [data, rows, columns]\n"
      "tensor loss: result f64 []\n"
      "entry evaluate:\n"
      "  moved = all_to_all(x) {mesh_axes: [rows, columns]}\n"
      "  part = matmul(moved, w) {transpose_b: true}\n"
      "  y = reduce_scatter(part) {mesh_axes: [columns]}\n"
      "  sum = reduce(y) {expression: (i0), shape: [batch, 6], axes: [0, 1], type: f64}\n"
      "  loss = all_reduce(sum) {mesh_axes: [data, rows, columns]}\n",
      24);
  plan.hydrogen_block_size = block_size;
  return plan;
}

SpecializedProgram on(Plan const& plan, std::vector<MeshAxis> mesh, std::int64_t rank = 0) {
  Placement placement;
  placement.mesh = std::move(mesh);
  placement.rank = rank;
  placement.mini_batch = plan.mini_batch_size;
  auto program = specialize(plan, placement);
  REQUIRE(program.good());
  return std::move(program).value();
}

std::string operators_of(SpecializedProgram const& program) {
  std::string text;
  for (auto const& instruction : program.entries.front().instructions) {
    text += (text.empty() ? "" : " ") + std::string(name_of(instruction.op));
    if (instruction.panel) text += std::to_string(instruction.panel->index);
  }
  return text;
}

}  // namespace

TEST_CASE("exchanges of all panels are the whole exchange") {
  std::mt19937 generator(11);
  auto const below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(end));
  };
  std::size_t several = 0;
  for (int repetition = 0; repetition < 300; ++repetition) {
    Placement placement;
    placement.mesh = mesh_of(1 + below(3), 1 + below(3), 1 + below(3));
    Mesh const mesh(placement);
    Shape const shape{{1 + below(2), true}, {1 + below(4)}};
    auto const mini_batch = below(20);
    AxisDistribution from, to;
    AxisSet summed = 0;
    for (AxisSet axis = 1; axis <= columns_axis; axis *= 2) {
      auto const before = below(4), after = below(3);
      if (before < 2) from.split[static_cast<std::size_t>(before)] |= axis;
      if (before == 3) summed |= axis;
      if (after < 2) to.split[static_cast<std::size_t>(after)] |= axis;
    }
    // As the pass cuts them: by what is split on one side and whole on the other.
    bool const gathers = below(2) == 0;
    auto const outside = (gathers ? from : to).split[0], inside = (gathers ? to : from).split[0];
    Panel panel{0, 1 + below(4), outside, outside & moving_axes(outside, inside)};
    std::vector<Elements> sent(static_cast<std::size_t>(mesh.ranks())), received = sent;
    for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
      auto const r = static_cast<std::size_t>(rank);
      std::vector<IndexRange> read, written;
      for (panel.index = 0; panel.index < panel.count; ++panel.index) {
        auto const part = exchange_of(shape, from, to, summed, mesh, mini_batch, rank, panel);
        add(sent[r], part.sends, part.from);
        auto const size = exchange_size(shape, from, to, summed, mesh, mini_batch, rank, panel);
        CHECK(size.sent == part.sent(rank));
        CHECK(size.peers == std::ranges::count_if(
                                part.sends, [&](auto const& piece) { return piece.peer != rank; }));
        add(received[r], part.receives, part.to);
        read.insert(read.end(), part.read.begin(), part.read.end());
        written.insert(written.end(), part.written.begin(), part.written.end());
        auto const room = exchange_room(shape, from, to, summed, mesh, mini_batch, rank, panel);
        for (std::int64_t samples = 0; samples <= mini_batch; ++samples) {
          auto const fewer = exchange_of(shape, from, to, summed, mesh, samples, rank, panel);
          if (room.sent > 0) CHECK(fewer.sent(rank) <= room.sent);
          if (room.received > 0) CHECK(fewer.received(rank) <= room.received);
        }
      }
      auto const whole = exchange_of(shape, from, to, summed, mesh, mini_batch, rank);
      Elements sends, receives;
      add(sends, whole.sends, whole.from);
      add(receives, whole.receives, whole.to);
      CHECK(sorted(sent[r]) == sorted(sends));
      CHECK(sorted(received[r]) == sorted(receives));
      // What is read and written, once each.
      auto const covers = [](std::vector<IndexRange> ranges, std::int64_t elements) {
        std::ranges::sort(ranges, {}, &IndexRange::begin);
        std::int64_t at = 0;
        for (auto const& range : ranges) {
          if (range.size == 0) continue;
          CHECK(range.begin == at);
          at = range.end();
        }
        CHECK(at == elements);
      };
      covers(read, box_of(shape, from, mesh, mini_batch, rank).elements());
      covers(written, box_of(shape, to, mesh, mini_batch, rank).elements());
    }
    // Messages between two ranks match in order.
    for (std::int64_t a = 0; a < mesh.ranks(); ++a)
      for (std::int64_t b = 0; b < mesh.ranks(); ++b) {
        auto const out = sizes(sent[static_cast<std::size_t>(a)], b);
        CHECK(out == sizes(received[static_cast<std::size_t>(b)], a));
        several += out.size() > 1 ? 1 : 0;
      }
  }
  CHECK(several > 300);
}

TEST_CASE("a product between exchanges is cut into panels") {
  auto const mesh = mesh_of(1, 2, 2);
  // 24 samples of which a rank multiplies all: panels of at most 10 are three.
  CHECK(operators_of(on(product_plan(10), mesh)) ==
        "all_reduce all_to_all0 all_to_all1 all_to_all2 matmul0 reduce_scatter0 matmul1 "
        "reduce_scatter1 matmul2 reduce_scatter2 reduce all_reduce");
  CHECK(operators_of(on(product_plan(24), mesh)) ==
        "all_reduce all_to_all matmul reduce_scatter reduce all_reduce");
  CHECK(operators_of(on(product_plan(0), mesh)) == operators_of(on(product_plan(24), mesh)));
  // Nothing is summed, or nothing moves.
  CHECK(operators_of(on(product_plan(12), mesh_of(1, 2, 1))) ==
        "all_reduce all_to_all0 all_to_all1 matmul0 matmul1 reduce all_reduce");
  CHECK(operators_of(on(product_plan(12), mesh_of(1, 1, 1))) == "matmul reduce");
}

TEST_CASE("very many panels are refused, with the size that would do") {
  auto plan = product_plan(1);
  plan.mini_batch_size = 1 << 30;
  Placement placement;
  placement.mesh = mesh_of(1, 2, 2);
  placement.mini_batch = plan.mini_batch_size;
  auto const program = specialize(plan, placement);
  REQUIRE(!program.good());
  CHECK(program.problem().message.find("at least 1048576 is possible") != std::string::npos);
}

TEST_CASE("the first product waits for the first panel alone, and none for a sum") {
  auto const program = on(product_plan(10), mesh_of(1, 2, 2));
  auto const& entry = program.entries.front();
  for (auto const& message : entry.messages) {
    auto const& posts = entry.instructions[message.posted];
    if (!posts.panel) continue;
    REQUIRE(message.needed < entry.instructions.size());
    auto const& waits = entry.instructions[message.needed];
    if (std::holds_alternative<operators::reduce_scatter>(posts.op)) {
      CHECK(std::holds_alternative<operators::reduce>(waits.op));
    } else {
      CHECK(std::holds_alternative<operators::matmul>(waits.op));
      CHECK(waits.panel == posts.panel);
    }
  }
}

TEST_CASE("panels are sound on every rank of any mesh, of all samples together") {
  for (std::int64_t block_size : {1, 2, 5, 7})
    for (std::int64_t data : {1, 2})
      for (std::int64_t rows : {1, 2, 3})
        for (std::int64_t columns : {1, 2, 4}) {
          auto const plan = product_plan(block_size);
          std::optional<std::uint64_t> digest;
          for (std::int64_t rank = 0; rank < data * rows * columns; ++rank) {
            Placement placement;
            placement.mesh = mesh_of(data, rows, columns);
            placement.rank = rank;
            placement.mini_batch = plan.mini_batch_size;
            auto const dump = dump_after("place", plan, placement);
            REQUIRE(dump.good());
            CHECK(dump.value().fault.value_or("") == "");
            auto const program = on(plan, placement.mesh, rank);
            auto const& entry = program.entries.front();
            std::int64_t samples = 0, most = 0;
            for (std::size_t i = 0; i < entry.instructions.size(); ++i) {
              auto const& instruction = entry.instructions[i];
              if (!std::holds_alternative<operators::matmul>(instruction.op)) continue;
              samples += program.samples_of(instruction, plan.mini_batch_size);
              most = std::max(most, program.samples_of(instruction, plan.mini_batch_size));
            }
            CHECK(samples == plan.mini_batch_size / data);
            if (rows * columns > 1) CHECK(most <= block_size + rows * columns);
            if (!digest) digest = message_digest(program);
            CHECK(message_digest(program) == digest);
          }
        }
}
