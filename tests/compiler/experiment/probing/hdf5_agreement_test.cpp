// What the compiler says of HDF5 files, and what a run finds in them.
#include <doctest/doctest.h>

#include "tests/compiler/experiment/probing/data_agreement.hpp"
#include "tests/support/hdf5_writer.hpp"

using namespace lbann;
using namespace lbann::tests;

TEST_CASE("compiler and run agree on datasets of HDF5 files") {
  DataFolder const folder;
  auto const write = [&](std::string const& name, hsize_t samples) {
    Hdf5Writer writer((folder.path / name).string());
    writer.write<float>("x", {samples, 2, 3}, std::vector<float>(samples * 6, 1));
    writer.write<std::int32_t>("y", {samples}, std::vector<std::int32_t>(samples, 1));
    writer.write<double>("r", {samples, 4}, std::vector<double>(samples * 4, 1));
  };
  write("a.h5", 3);
  write("b.h5", 2);
  auto const hdf5 = [](std::string const& more) {
    return "hdf5: {role: train, data_file_pattern: \"?.h5\", hdf5_key_data: x, hdf5_key_responses: "
           "r, hdf5_key_labels: y" +
           more + "}";
  };
  both_take(folder, hdf5(", num_labels: 2, one_sample_per_file: false"), 5);
  both_take(folder, hdf5(", num_labels: 2, one_sample_per_file: false, num_responses: 4"), 5);
  both_take(folder, hdf5(", hdf5_hyperslab_labels: true, one_sample_per_file: false"), 5);
  both_refuse(folder, hdf5(", num_labels: 2, one_sample_per_file: false, num_responses: 3"),
              "it holds 4 responses, `num_responses` is 3");
  both_refuse(folder, hdf5(", num_labels: 2"), "it holds samples of [3], not class numbers");
  both_refuse(folder, "hdf5: {role: train, data_file_pattern: a.h5}",
              "it has no `full`; there is `r`, `x`, `y`");
  folder.write("b.h5", "no HDF5");
  both_refuse(folder, hdf5(", num_labels: 2, one_sample_per_file: false"),
              "it cannot be opened as an HDF5 file");
}
