// One product on all threads, or many on one thread each.
#include "kernels/host/sixteen_bit/matmul.hpp"

#include <optional>

#include "kernels/host/sixteen_bit/product.hpp"
#include "kernels/map/epilogue.hpp"
#include "kernels/shapes/matrix_products.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host::sixteen_bit {

namespace {

/// A stored matrix as a factor, whose lines lie `line` elements apart and numbers of a line
/// `inner`; one of them is 1.
MatrixFactor stored_factor(BFloat16 const* data, std::int64_t line, std::int64_t inner) {
  auto const* const bits = reinterpret_cast<std::uint16_t const*>(data);
  return {inner == 1, bits, inner == 1 ? line : inner};
}
MatrixFactor stored_left(StridedMatrix<BFloat16> const& matrix) {
  return stored_factor(matrix.data, matrix.row, matrix.column);
}
MatrixFactor stored_right(StridedMatrix<BFloat16> const& matrix) {
  return stored_factor(matrix.data, matrix.column, matrix.row);
}

bool bf16_factors(Call const& call) {
  return call.inputs[0].type == DataType::bf16 && call.inputs[1].type == DataType::bf16;
}

SixteenBitTiling tiling_of(Call const& call) {
  auto const [rows, inner, columns] = extents_of_product(call);
  return {rows, inner, columns, ThreadTeam::size()};
}

class Matmul final : public Kernel {
 public:
  explicit Matmul(Call const& call)
      : tiling_(tiling_of(call)),
        left_(stored_left(left_factor<BFloat16>(call))),
        right_(stored_right(right_factor<BFloat16>(call))),
        result_(call.outputs[0].as<float>()),
        scratch_(call.scratch.data()) {
    auto const& epilogue = operator_of<operators::matmul>(call).epilogue;
    if (!epilogue.empty())
      epilogue_ = bind_epilogue<MapEngine>(epilogue, call, DataType::f32, nullptr);
  }

  void run() override {
    MatrixTarget const target(result_, tiling_.columns, epilogue_ ? &*epilogue_ : nullptr);
    Product{tiling_, left_, right_, target}.run(scratch_);
  }

 private:
  SixteenBitTiling tiling_;
  MatrixFactor left_, right_;
  float* result_;
  std::byte* scratch_;
  std::optional<MapEngine> epilogue_;
};

SixteenBitTiling tiling_of(MatrixPairs<BFloat16> const& pairs) {
  return SixteenBitTiling::alone(pairs.rows, pairs.inner, pairs.columns);
}

class BatchedMatmul final : public Kernel {
 public:
  explicit BatchedMatmul(Call const& call)
      : pairs_(call),
        tiling_(tiling_of(pairs_)),
        result_(call.outputs[0].as<float>()),
        scratch_(call.scratch.data()) {
    auto const& epilogue = operator_of<operators::batched_matmul>(call).epilogue;
    if (!epilogue.empty())
      epilogue_ = bind_epilogue<MapEngine>(epilogue, call, DataType::f32, nullptr);
  }

  void run() override {
    for_each_task(pairs_.count, [&](std::int64_t number, std::int64_t worker) {
      auto a = pairs_.a, b = pairs_.b;
      a.data += number * pairs_.rows * pairs_.inner;
      b.data += number * pairs_.inner * pairs_.columns;
      auto const left = stored_left(a), right = stored_right(b);
      MatrixTarget const target(result_ + number * pairs_.rows * pairs_.columns, pairs_.columns,
                                epilogue_ ? &*epilogue_ : nullptr, number * pairs_.rows);
      Product{tiling_, left, right, target}.run_alone(scratch_ + worker * tiling_.bytes(1));
    });
  }

 private:
  MatrixPairs<BFloat16> pairs_;
  SixteenBitTiling tiling_;
  float* result_;
  std::byte* scratch_;
  std::optional<MapEngine> epilogue_;
};

bool holds(Call const& call, std::int64_t bytes) {
  return static_cast<std::int64_t>(call.scratch.size()) >= bytes;
}

}  // namespace

bool takes_matmul(Call const& call) {
  auto const [rows, inner, columns] = extents_of_product(call);
  return bf16_factors(call) &&
         stores_product<MapEngine>(operator_of<operators::matmul>(call).epilogue, call) &&
         holds(call, sixteen_bit_bytes(rows, inner, columns, ThreadTeam::size()));
}

std::unique_ptr<Kernel> make_matmul(Call const& call) { return std::make_unique<Matmul>(call); }

bool takes_batched_matmul(Call const& call) {
  MatrixPairs<BFloat16> const pairs(call);
  return bf16_factors(call) &&
         stores_product<MapEngine>(operator_of<operators::batched_matmul>(call).epilogue, call) &&
         holds(call, sixteen_bit_bytes_apart(pairs.count, pairs.rows, pairs.inner, pairs.columns,
                                             ThreadTeam::size()));
}

std::unique_ptr<Kernel> make_batched_matmul(Call const& call) {
  return std::make_unique<BatchedMatmul>(call);
}

}  // namespace lbann::kernels::host::sixteen_bit
