// Portable kernel of map: an element for each index.
#include "kernels/kokkos/map_engine.hpp"
#include "kernels/selection/list.hpp"

namespace lbann::kernels::kokkos {

namespace {

std::optional<MapEngine> engine_of(Call const& call) {
  auto const& op = operator_of<operators::map>(call);
  auto const shape = op.shape.at(call.samples);
  return MapEngine::bind({op.expression, op.compute, shape, call.inputs, call.outputs});
}

class Map : public Kernel {
 public:
  explicit Map(MapEngine engine) : engine_(engine) {}
  void run() override { engine_.run_parallel(); }

 private:
  MapEngine engine_;
};

}  // namespace

Implementation map_kernel() {
  return {"kokkos", [](Call const& call) { return engine_of(call).has_value(); },
          [](Call const& call) -> std::unique_ptr<Kernel> {
            return std::make_unique<Map>(*engine_of(call));
          }};
}

}  // namespace lbann::kernels::kokkos
