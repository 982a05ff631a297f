// The types of elements without their names, for NVRTC.
#pragma once

namespace lbann {

enum class DataType : unsigned char { f64, f32, bf16, f16, i32, i64, u8 };

}  // namespace lbann
