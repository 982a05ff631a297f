// One product on all threads, or many on one thread each.
#include "kernels/host/sixteen_bit/matmul.hpp"

#include <optional>

#include "kernels/host/sixteen_bit/product.hpp"
#include "kernels/map/epilogue.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host::sixteen_bit {

namespace {

/// A stored matrix [lines..] as a factor: whether its rows are lines follows from its strides.
struct StoredFactor {
  MatrixFactor factor;
  bool rows_are_lines;

  /// A left factor, whose lines are rows.
  static StoredFactor left(StridedMatrix<BFloat16> const& matrix) {
    return of(matrix.data, matrix.row, matrix.column);
  }
  static StoredFactor right(StridedMatrix<BFloat16> const& matrix) {
    return of(matrix.data, matrix.column, matrix.row);
  }

 private:
  /// `line`: from one line to the next, `inner`: along the inner extent; one of them is 1.
  static StoredFactor of(BFloat16 const* data, std::int64_t line, std::int64_t inner) {
    auto const* const bits = reinterpret_cast<std::uint16_t const*>(data);
    return inner == 1 ? StoredFactor{{bits, line}, true} : StoredFactor{{bits, inner}, false};
  }
};

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
        left_(StoredFactor::left(left_factor<BFloat16>(call))),
        right_(StoredFactor::right(right_factor<BFloat16>(call))),
        result_(call.outputs[0].as<float>()),
        scratch_(call.scratch.data()) {
    auto const& epilogue = operator_of<operators::matmul>(call).epilogue;
    if (!epilogue.empty())
      epilogue_ = bind_epilogue<MapEngine>(epilogue, call, DataType::f32, nullptr);
  }

  void run() override {
    MatrixTarget const target(result_, tiling_.columns, epilogue_ ? &*epilogue_ : nullptr);
    Product{tiling_,       left_.factor,          left_.rows_are_lines,
            right_.factor, right_.rows_are_lines, target}
        .run(scratch_);
  }

 private:
  SixteenBitTiling tiling_;
  StoredFactor left_, right_;
  float* result_;
  std::byte* scratch_;
  std::optional<MapEngine> epilogue_;
};

SixteenBitTiling tiling_of(MatrixPairs<BFloat16> const& pairs) {
  return {pairs.rows, pairs.inner, pairs.columns, 1};
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
      auto const left = StoredFactor::left(a), right = StoredFactor::right(b);
      MatrixTarget const target(result_ + number * pairs_.rows * pairs_.columns, pairs_.columns,
                                epilogue_ ? &*epilogue_ : nullptr, number * pairs_.rows);
      Product{tiling_, left.factor, left.rows_are_lines, right.factor, right.rows_are_lines, target}
          .run_alone(scratch_ + worker * tiling_.bytes(1));
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
