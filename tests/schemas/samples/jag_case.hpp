// Readers of JAG simulations, told their datasets as a plan tells them.
#pragma once

#include "tests/schemas/samples/file_case.hpp"
#include "tests/support/contains.hpp"
#include "tests/support/jag_writer.hpp"

namespace lbann::tests {

/// `samples` are an image, two scalars and two inputs, `responses` the second input.
template <class Reader>
struct JagCase : ReaderCase<Reader> {
  JagCase() {
    data_readers::hdf5_dataset image;
    image.path = "outputs/images/(0.0, 0.0)/0.0/emi";
    image.data_field = "samples";
    image.packed = true;
    image.dims = {2, 3};
    image.channels = 4;
    image.channels_last = image.to_channels_first = true;
    image.scale = {1, 2, 3, 4};
    image.bias = {0, 1, 0, -1};
    this->reader.datasets = {image,
                             number("outputs/scalars/out1", "samples", 2, -1),
                             number("outputs/scalars/out0", "samples", 1, 0),
                             number("inputs/in0", "samples", 1, 0),
                             number("inputs/in1", "samples", 8, 0.5),
                             number("inputs/in1", "responses", 1, 0)};
  }

  static data_readers::hdf5_dataset number(std::string path, std::string field, double scale,
                                           double bias) {
    data_readers::hdf5_dataset dataset;
    dataset.path = std::move(path);
    dataset.data_field = std::move(field);
    dataset.packed = true;
    dataset.dims = {1};
    dataset.scale = {scale};
    dataset.bias = {bias};
    return dataset;
  }

  void write(std::string const& name, std::vector<JagSimulation> const& simulations) const {
    Hdf5Writer file(this->folder.path() + "/" + name);
    for (auto const& each : simulations) each.write(file);
  }

  /// What `samples` of a simulation are, worked out number by number.
  static std::vector<double> expected(JagSimulation const& of) {
    std::vector<double> numbers;
    double const scale[] = {1, 2, 3, 4}, bias[] = {0, 1, 0, -1};
    for (hsize_t channel = 0; channel < of.channels; ++channel)
      for (hsize_t row = 0; row < of.height; ++row)
        for (hsize_t column = 0; column < of.width; ++column)
          numbers.push_back(of.pixel(row, column, channel) * scale[channel] + bias[channel]);
    numbers.push_back(of.scalar(1) * 2 - 1);
    numbers.push_back(of.scalar(0));
    numbers.push_back(of.input(0));
    numbers.push_back(of.input(1) * 8 + 0.5);
    return numbers;
  }

  void says(std::string const& words) const {
    auto const found = this->problem();
    CAPTURE(found);
    CHECK(testing::contains(found, words));
  }
};

}  // namespace lbann::tests
