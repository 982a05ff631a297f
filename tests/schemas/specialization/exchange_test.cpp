// Exchanges played through on all ranks of random meshes: every rank ends with its part of the
// tensor.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "schemas/specialization/exchange.hpp"

using namespace lbann;

namespace {

using Numbers = std::vector<double>;

/// Visits the entries of `box` in C order, with their places in a tensor of these extents.
template <class Visit>
void each_entry(Box const& box, std::vector<std::int64_t> const& extents, Visit const& visit) {
  for (std::int64_t entry = 0; entry < box.elements(); ++entry) {
    std::int64_t rest = entry, at = 0, stride = 1;
    for (auto d = box.rank; d-- > 0; stride *= extents[d]) {
      at += (box.parts[d].begin + rest % box.parts[d].size) * stride;
      rest /= box.parts[d].size;
    }
    visit(static_cast<std::size_t>(at));
  }
}

Numbers taken(Numbers const& from, Box const& box, std::vector<std::int64_t> const& extents) {
  Numbers part;
  each_entry(box, extents, [&](std::size_t at) { part.push_back(from[at]); });
  return part;
}

/// Elements of pieces for or from other ranks that are not one row of memory, or are added.
std::int64_t packed(std::vector<ExchangedPiece> const& pieces,
                    std::vector<std::int64_t> const& extents, std::int64_t rank, bool adds) {
  std::int64_t elements = 0;
  for (auto const& piece : pieces) {
    auto inner = piece.box.rank;
    while (inner > 0 && piece.box.parts[inner - 1].size == extents[inner - 1]) --inner;
    std::int64_t rows = 1;
    for (std::size_t d = 0; d + 1 < inner; ++d) rows *= piece.box.parts[d].size;
    if (piece.peer != rank && (rows > 1 || adds)) elements += piece.elements;
  }
  return elements;
}

Placement place_of(std::int64_t data, std::int64_t rows, std::int64_t columns) {
  Placement placement;
  placement.mesh = {{"data", data}, {"rows", rows}, {"columns", columns}};
  return placement;
}

}  // namespace

TEST_CASE("ranks of a mesh: coordinates, groups, parts") {
  Mesh const mesh(place_of(2, 3, 4));
  CHECK(mesh.ranks() == 24);
  CHECK(mesh.coordinates(17) == Mesh::Coordinates{1, 1, 1});
  CHECK(mesh.group(columns_axis, 17) == std::vector<std::int64_t>{16, 17, 18, 19});
  CHECK(mesh.group(data_axis | rows_axis, 17) == std::vector<std::int64_t>{1, 5, 9, 13, 17, 21});
  CHECK(mesh.group_number(columns_axis, 17) == mesh.group_number(columns_axis, 19));
  CHECK(mesh.group_number(columns_axis, 17) != mesh.group_number(columns_axis, 21));
  for (std::int64_t extent : {0, 1, 5, 23, 24, 100})
    for (AxisSet axes = 0; axes < 8; ++axes) {
      // The parts of the ranks of one group follow one another and differ by at most one.
      std::int64_t at = 0, least = extent, most = 0;
      for (auto const rank : mesh.group(axes, 0)) {
        auto const part = mesh.part(extent, axes, rank);
        CHECK(part.begin == at);
        at = part.end();
        least = std::min(least, part.size);
        most = std::max(most, part.size);
        CHECK(part.size <= mesh.largest(extent, axes));
      }
      CHECK(at == extent);
      CHECK(most - least <= 1);
      CHECK(most == mesh.largest(extent, axes));
    }
}

TEST_CASE("after an exchange every rank holds its part") {
  std::mt19937 generator(7);
  auto const below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(end));
  };
  std::size_t sums = 0, sent = 0, more = 0, needless = 0;
  for (int repetition = 0; repetition < 400; ++repetition) {
    Mesh const mesh(place_of(1 + below(3), 1 + below(3), 1 + below(3)));
    Shape shape{batch_extent, {1 + below(5)}, {1 + below(4)}};
    if (below(2) == 0) shape.extents[0] = {1 + below(6)};
    if (below(4) == 0) shape.extents[0] = {2, true};
    auto const mini_batch = below(8);
    // Each axis splits one dimension, none, or (before) is summed over.
    AxisDistribution from, to;
    AxisSet summed = 0;
    for (AxisSet axis = 1; axis <= columns_axis; axis *= 2) {
      auto const before = below(5), after = below(4);
      if (before < 3) from.split[static_cast<std::size_t>(before)] |= axis;
      if (before == 4) summed |= axis;
      if (after < 3) to.split[static_cast<std::size_t>(after)] |= axis;
    }
    sums += summed != 0 ? 1 : 0;
    auto const whole = Box(box_of(shape, {}, mesh, mini_batch, 0));
    std::vector<std::int64_t> extents;
    for (std::size_t d = 0; d < whole.rank; ++d) extents.push_back(whole.parts[d].size);
    // What each rank holds: the same where it is not summed, else its own.
    Numbers const tensor = [&] {
      Numbers numbers;
      for (std::int64_t i = 0; i < whole.elements(); ++i) numbers.push_back(1.0 + double(i));
      return numbers;
    }();
    auto const weight = [&](std::int64_t rank) {
      // A number for each place along the axes summed over.
      return summed == 0 ? 1.0 : 1.0 + double(mesh.group_number(~summed, rank));
    };
    double total = 0;
    for (auto const rank : mesh.group(summed, 0)) total += weight(rank);

    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Numbers>> travelling;
    for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
      auto const own = box_of(shape, from, mesh, mini_batch, rank);
      auto held = taken(tensor, own, extents);
      for (auto& number : held) number *= weight(rank);
      auto const exchange = exchange_of(shape, from, to, summed, mesh, mini_batch, rank);
      for (auto const& piece : exchange.sends) {
        CHECK(piece.elements == piece.box.elements());
        travelling[{rank, piece.peer}].push_back(taken(held, piece.box, exchange.from));
        sent += piece.peer != rank ? 1 : 0;
      }
      auto const size = exchange_size(shape, from, to, summed, mesh, mini_batch, rank);
      CHECK(size.sent == exchange.sent(rank));
      CHECK(size.peers == std::ranges::count_if(exchange.sends, [&](auto const& piece) {
              return piece.peer != rank;
            }));
      // Room for the largest mini-batch is enough for any.
      auto const room = exchange_room(shape, from, to, summed, mesh, mini_batch, rank);
      for (std::int64_t samples = 0; samples <= mini_batch; ++samples) {
        auto const fewer = exchange_of(shape, from, to, summed, mesh, samples, rank);
        CHECK(packed(fewer.sends, fewer.from, rank, false) <= room.sent);
        CHECK(packed(fewer.receives, fewer.to, rank, fewer.adds) <= room.received);
        needless += room.sent == 0 && fewer.sent(rank) > 0 ? 1 : 0;
        auto const now = exchange_of(shape, from, to, summed, mesh, mini_batch, rank);
        more += fewer.sent(rank) > now.sent(rank) ? 1 : 0;
      }
    }
    for (std::int64_t rank = 0; rank < mesh.ranks(); ++rank) {
      auto const exchange = exchange_of(shape, from, to, summed, mesh, mini_batch, rank);
      auto const target = box_of(shape, to, mesh, mini_batch, rank);
      Numbers result(static_cast<std::size_t>(target.elements()), 0.0);
      for (auto const& piece : exchange.receives) {
        auto const arrived = travelling.find({piece.peer, rank});
        REQUIRE(arrived != travelling.end());
        REQUIRE(arrived->second.size() == 1);
        auto const numbers = arrived->second.front();
        REQUIRE(std::ssize(numbers) == piece.elements);
        travelling.erase(arrived);
        std::size_t next = 0;
        each_entry(piece.box, exchange.to, [&](std::size_t at) { result[at] += numbers[next++]; });
      }
      auto expected = taken(tensor, target, extents);
      for (auto& number : expected) number *= total;
      REQUIRE(result == expected);
    }
    CHECK(travelling.empty());
  }
  CHECK(sums > 100);
  CHECK(sent > 1000);
  CHECK(more > 0);
  CHECK(needless > 100);
}
