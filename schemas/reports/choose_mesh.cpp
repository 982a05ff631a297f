// Meshes enumerated, specialized and compared.
#include "schemas/reports/choose_mesh.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "schemas/reports/named_numbers.hpp"
#include "schemas/specialization/exchange.hpp"
#include "schemas/specialization/specialization.hpp"

namespace lbann {

namespace {

std::int64_t weights_of(SpecializedProgram const& program) {
  std::int64_t bytes = 0;
  for (auto const arena : {Arena::weights, Arena::gradients, Arena::moments})
    bytes += program.arena_bytes[static_cast<std::size_t>(arena)];
  return bytes;
}

/// Ascending.
std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> low, high;
  for (std::int64_t i = 1; i * i <= number; ++i) {
    if (number % i != 0) continue;
    low.push_back(i);
    if (i * i != number) high.push_back(number / i);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

/// Whether weights are sharded over rows or columns alone, and none are split over both.
bool shards_along_grid(Program const& program) {
  bool alone = false, both = false;
  MeshAxes mesh;
  for (auto const& tensor : program.tensors) {
    if (tensor.role != TensorRole::weights) continue;
    auto const axes = in_sets(tensor.distribution, mesh).value().axes();
    alone = alone || axes == rows_axis || axes == columns_axis;
    both = both || axes == (rows_axis | columns_axis);
  }
  return alone && !both;
}

/// Whether it matters along which axes ranks stand: some tensor is split over rows or columns, but
/// not over all axes.
bool tells_axes_apart(Program const& program) {
  MeshAxes mesh;
  return std::ranges::any_of(program.tensors, [&](Tensor const& tensor) {
    auto const split = in_sets(tensor.distribution, mesh).value().split;
    return std::ranges::any_of(split, [](AxisSet axes) {
      return (axes & (rows_axis | columns_axis)) != 0 &&
             axes != (data_axis | rows_axis | columns_axis);
    });
  });
}

Problem no_mesh(MeshRequest const& request, std::int64_t ranks) {
  std::string text;
  for (auto const& [name, size] : {std::pair{MeshAxes::data, request.data},
                                   {MeshAxes::rows, request.rows},
                                   {MeshAxes::columns, request.columns}})
    if (size > 0)
      text += (text.empty() ? "" : ", ") + std::string(name) + " " + std::to_string(size);
  return Problem{"a mesh of " + text + " cannot be made of " + std::to_string(ranks) +
                 (ranks == 1 ? " rank" : " ranks") +
                 ": the product of its sizes is the number of ranks of a trainer"};
}

}  // namespace

Result<MeshRequest> parse_mesh(std::string_view text) {
  MeshRequest request;
  std::array<std::pair<std::string_view, std::int64_t*>, 3> const sizes = {{
      {MeshAxes::data, &request.data},
      {MeshAxes::rows, &request.rows},
      {MeshAxes::columns, &request.columns},
  }};
  auto const accepts = [](std::string_view, std::int64_t size) {
    return size >= 1 && size <= std::int64_t{1} << 30;
  };
  if (auto const wrong = read_named_numbers<std::int64_t>(text, sizes, accepts))
    return Problem{"`" + std::string(*wrong) +
                   "` is no axis of a mesh; write for example rows=2,columns=2, with data=N or "
                   "without"};
  return request;
}

std::string to_text(std::vector<MeshAxis> const& mesh) {
  std::string text;
  for (auto const& axis : mesh)
    text += (text.empty() ? "" : ", ") + axis.name + " " + std::to_string(axis.size);
  return text;
}

std::int64_t bytes_sent(SpecializedProgram const& program, SpecializedEntry const& entry) {
  std::int64_t bytes = 0;
  for (auto const& instruction : entry.instructions)
    if (is_collective(instruction)) bytes += sent_by(program, instruction).bytes;
  return bytes;
}

Result<std::vector<MeshCost>> possible_meshes(Plan const& plan, MeshRequest const& asked,
                                              std::int64_t ranks, std::int64_t mini_batch) {
  auto request = asked == MeshRequest{} ? plan.mesh : asked;
  std::vector<MeshCost> meshes;
  if (request == MeshRequest{} && shards_along_grid(plan.program)) {
    // Any other sends fewer bytes because it shards less. As LBANN's: as many rows as the largest
    // divisor up to the root.
    for (auto const rows : divisors(ranks))
      if (rows * rows <= ranks) request = {1, rows, ranks / rows};
  }
  bool const splits = tells_axes_apart(plan.program);
  // Several rows of a plan that has no use for them are not chosen; if it splits nothing, they are
  // refused below.
  auto const sizes = [&](std::int64_t of, std::int64_t wanted) {
    if (wanted > 0) return of % wanted == 0 ? std::vector{wanted} : std::vector<std::int64_t>();
    return splits ? divisors(of) : std::vector<std::int64_t>{1};
  };
  for (auto const rows : sizes(ranks, request.rows))
    for (auto const columns : sizes(ranks / rows, request.columns)) {
      auto const data = ranks / rows / columns;
      if (request.data > 0 && data != request.data) continue;
      meshes.push_back({{{std::string(MeshAxes::data), data},
                         {std::string(MeshAxes::rows), rows},
                         {std::string(MeshAxes::columns), columns}}});
    }
  if (meshes.empty()) return no_mesh(request, ranks);
  bool const whole = batch_axes(plan.program) == data_axis;
  if (whole && meshes.size() == 1 && meshes[0].mesh[0].size == ranks) return meshes;
  // Panels send the same bytes, and make programs of many ranks long.
  std::optional<Plan> uncut;
  if (plan.hydrogen_block_size > 0) {
    uncut = plan;
    uncut->hydrogen_block_size = 0;
  }
  for (auto& cost : meshes) {
    Placement placement;
    placement.mesh = cost.mesh;
    placement.mini_batch = mini_batch;
    auto const program = specialize(uncut ? *uncut : plan, placement);
    if (!program) return program.problem();
    auto const* entry = program.value().entry("train");
    if (entry == nullptr) entry = program.value().entry(predict_entry);
    if (entry != nullptr) cost.bytes_sent = bytes_sent(program.value(), *entry);
    cost.weights = weights_of(program.value());
  }
  std::ranges::stable_sort(
      meshes, {}, [](MeshCost const& cost) { return std::tuple(cost.bytes_sent, cost.weights); });
  return meshes;
}

Result<std::vector<MeshAxis>> choose_mesh(Plan const& plan, MeshRequest const& request,
                                          std::int64_t ranks, std::int64_t mini_batch) {
  auto meshes = possible_meshes(plan, request, ranks, mini_batch);
  if (!meshes) return meshes.problem();
  return std::move(meshes.value().front().mesh);
}

}  // namespace lbann
