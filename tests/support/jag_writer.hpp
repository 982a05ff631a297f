// Simulations of JAG, written as Conduit writes them into HDF5 files.
#pragma once

#include "tests/support/hdf5_writer.hpp"

namespace lbann::tests {

/// Number `i` of everything is a small fraction that tells what it is of.
struct JagSimulation {
  std::string name;  ///< of its group, at the top of the file
  int number = 0;
  bool success = true;
  hsize_t height = 2, width = 3, channels = 4;  ///< of its one image
  int scalars = 2, inputs = 2;

  /// Channels are last in the file.
  float pixel(hsize_t row, hsize_t column, hsize_t channel) const {
    return static_cast<float>(number) + static_cast<float>(row * width + column) / 64 +
           static_cast<float>(channel) / 1024;
  }
  double scalar(int i) const { return 100 + number + i * 0.25; }
  double input(int i) const { return number - i * 0.125; }

  void write(Hdf5Writer& file) const {
    auto const put = [&](std::string const& path, double value) {
      file.write<double>(name + "/" + path, {1}, {value});
    };
    for (int i = 0; i < inputs; ++i) put("inputs/in" + std::to_string(i), input(i));
    file.write<std::int64_t>(name + "/performance/success", {1}, {success ? 1 : 0});
    if (!success) return;
    for (int i = 0; i < scalars; ++i) put("outputs/scalars/out" + std::to_string(i), scalar(i));
    std::vector<float> image;
    for (hsize_t row = 0; row < height; ++row)
      for (hsize_t column = 0; column < width; ++column)
        for (hsize_t channel = 0; channel < channels; ++channel)
          image.push_back(pixel(row, column, channel));
    file.write<float>(name + "/outputs/images/(0.0, 0.0)/0.0/emi", {image.size()}, image);
  }
};

}  // namespace lbann::tests
