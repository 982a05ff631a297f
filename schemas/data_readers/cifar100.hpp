// Images and labels of CIFAR-100 in its binary format.
#pragma once

#include "schemas/data_readers/cifar.hpp"

namespace lbann::data_readers {

/// Which of the two labels of an image is given.
enum class CifarLabel : std::uint8_t { fine, coarse };

}  // namespace lbann::data_readers

namespace lbann {

template <>
inline constexpr auto enum_names<data_readers::CifarLabel> =
    std::array<std::string_view, 2>{"fine", "coarse"};

namespace data_readers {

struct cifar100 : cifar {
  static constexpr std::string_view name = "cifar100";
  static constexpr std::string_view summary =
      "Images and labels of CIFAR-100, from its binary files.";

  CifarLabel label = CifarLabel::fine;

  static constexpr auto fields() {
    return std::tuple_cat(
        cifar_fields("One binary file, plain or gzip; empty: train.bin for the role train, "
                     "test.bin for others."),
        std::tuple{field("label", &cifar100::label,
                         "Which label of an image: one of 100 classes (fine) or of the 20 that "
                         "they are grouped in (coarse).")});
  }

  std::vector<std::string> filenames() const {
    if (!data_filename.empty()) return {data_filename};
    return {role == ExecutionMode::training ? "train.bin" : "test.bin"};
  }

  std::int64_t classes() const { return label == CifarLabel::fine ? 100 : 20; }
  std::vector<GivenField> gives() const {
    return {{"samples", {3, 32, 32}}, {"labels", {classes()}}};
  }
};

}  // namespace data_readers
}  // namespace lbann
