// Schemas of hdf5_data_reader as datasets: metadata of nodes above, both schemas, packs, and what
// contradicts itself.
#include "compiler/experiment/probing/hdf5_schemas.hpp"

#include <doctest/doctest.h>

#include "compiler/diagnostics/render.hpp"
#include "compiler/source/read_yaml.hpp"
#include "tests/compiler/experiment/probing/data_agreement.hpp"
#include "tests/support/hdf5_writer.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

struct Resolved {
  std::vector<Source> sources;
  Budget budget;
  Report report;
  std::vector<SchemaDataset> datasets;

  Resolved(std::string data, std::string experiment) {
    sources = {{"data.yaml", std::move(data)}, {"experiment.yaml", std::move(experiment)}};
    auto const of_data = read_yaml(sources[0], 0, budget, report);
    auto const of_experiment = read_yaml(sources[1], 1, budget, report);
    if (of_data && of_experiment) datasets = resolve_schemas(*of_data, *of_experiment, report);
  }
  std::string rendered() const { return render(report, sources, false); }
  std::vector<std::string> paths() const {
    std::vector<std::string> paths;
    for (auto const& each : datasets)
      paths.push_back(each.dataset.data_field + ":" + each.dataset.path);
    return paths;
  }
};

using List = std::vector<std::string>;

/// The example of LBANN's documentation, with what it leaves to be guessed.
constexpr auto data = R"(
inputs:
  shape_model_initial_modes:(4,3):
    metadata: {scale: 1.666672, bias: 0.5, ordering: 100}
  betti_prl15_trans_u:
    metadata: {ordering: 101}
outputs:
  scalars:
    BWx:
      metadata: {scale: 7.5, bias: -0.5, ordering: 201}
    BT:
      metadata: {ordering: 202}
    MT:
      B4:
  images:
    metadata:
      dims: [64, 64]
      channels: 4
      scale: [2, 3, 4, 5]
      bias: [0.0, 0.0, 0.0, 1.0]
      layout: hwc
      transpose: chw
    (0.0, 0.0):
      0.0:
        emi:
          metadata: {ordering: 300}
    (90.0, 0.0):
      0.0:
        emi:
          metadata: {ordering: 301}
)";

}  // namespace

TEST_CASE("hdf5 schemas: nodes inherit, and what the experiment says comes first") {
  Resolved const resolved(data, R"(
inputs:
  metadata: {pack: datum}
outputs:
  metadata: {pack: datum}
  scalars:
    BWx:
      metadata: {ordering: 555, pack: response}
    BT:
      metadata: {ordering: 99}
  images:
    metadata: {coerce: double}
    (90.0, 0.0):
      0.0:
)");
  CHECK(resolved.rendered() == "");
  CHECK(resolved.paths() ==
        List{"samples:outputs/scalars/BT", "samples:inputs/shape_model_initial_modes:(4,3)",
             "samples:inputs/betti_prl15_trans_u", "samples:outputs/images/(90.0, 0.0)/0.0/emi",
             "responses:outputs/scalars/BWx"});
  CHECK(resolved.datasets[1].dataset.scale == std::vector<double>{1.666672});
  CHECK(resolved.datasets[1].dataset.bias == std::vector<double>{0.5});
  auto const& image = resolved.datasets[3].dataset;
  CHECK(image.dims == std::vector<std::int64_t>{64, 64});
  CHECK(image.channels == 4);
  CHECK(image.channels_last);
  CHECK(image.to_channels_first);
  CHECK(image.numbers() == 4 * 64 * 64);
  CHECK(image.scale == std::vector<double>{2, 3, 4, 5});
}

TEST_CASE("hdf5 schemas: a leaf of the experiment brings all that the data schema has below it") {
  Resolved const resolved(data, "outputs:\n  scalars:\n");
  CHECK(resolved.rendered() == "");
  CHECK(resolved.paths() == List{"outputs/scalars/MT/B4:outputs/scalars/MT/B4",
                                 "outputs/scalars/BWx:outputs/scalars/BWx",
                                 "outputs/scalars/BT:outputs/scalars/BT"});
}

TEST_CASE("hdf5 schemas: contradictions are told at their line") {
  auto const says = [](std::string const& of_data, std::string const& of_experiment,
                       std::string const& words) {
    auto const found = Resolved(of_data, of_experiment).rendered();
    CAPTURE(found);
    CHECK(found.find(words) != std::string::npos);
  };
  says(data, "inputs:\n  betti_prl15_trans_v:\n",
       "experiment.yaml:2:3: error[hdf5-schema]: the data schema has no "
       "`inputs/betti_prl15_trans_v`");
  says(data, "inputs:\n  betti_prl15_trans_v:\n", "betti_prl15_trans_u");
  says("x:\n  metadata: {scal: 2}\n", "x:\n", "`scal` is not a field of `metadata`");
  says("x:\n  metadata: {scale: a}\n", "x:\n", "data.yaml:2:");
  says("x:\n  scale: 2\n", "x:\n",
       "`scale` has a value, and is neither a group nor a dataset; directives stand below "
       "`metadata:`");
  says("x:\n  metadata: {scale: [1, 2], channels: 3, layout: chw}\n", "x:\n",
       "`scale` of `x` has 2 numbers for 3 channels");
  says("x:\n  metadata: {scale: [1, 2], channels: 2}\n", "x:\n",
       "`scale` of `x` has a number per channel, so `layout` must say where these lie");
  says("x:\n  metadata: {channels: 2, layout: hwc, transpose: chw}\n", "x:\n",
       "`channels` of `x` are to be moved, which needs `dims`");
  says("x:\n  metadata: {channels: 2, dims: [2, 2], transpose: chw}\n", "x:\n",
       "`layout` does not say that they are last");
  says("x:\ny:\n", "metadata: {pack: samples}\nx:\ny:\n  metadata: {ordering: 1}\n",
       "`x` is packed into `samples` with 1 others and has no `ordering`");
  CHECK(Resolved("x:\ny:\n", "metadata: {pack: samples}\nx:\n").rendered() == "");
  says("x:\n  metadata: 3\n", "x:\n", "`metadata` is a mapping of directives");
  says("x:\n  metadata: {coerce: float16}\n", "x:\n", "`coerce` of `x` is float16");
}

TEST_CASE("compiler and run agree on samples that schemas describe") {
  tests::DataFolder const folder;
  {
    tests::Hdf5Writer writer((folder.path / "a.h5").string());
    for (auto const* sample : {"run/0/", "run/1/"}) {
      writer.write<float>(sample + std::string("image"), {2, 3, 4}, std::vector<float>(24, 1));
      writer.write<double>(sample + std::string("energy"), {}, {1});
    }
  }
  folder.write("list.txt", "CONDUIT_HDF5_INCLUSION\n2 0 1\n.\na.h5 2 0 run/0 run/1\n");
  folder.write("data.yaml",
               "image:\n  metadata: {dims: [2, 3], channels: 4, layout: hwc, transpose: chw}\n"
               "energy:\n  metadata: {scale: 2}\n");
  folder.write("experiment.yaml", "image:\nenergy:\n  metadata: {pack: responses}\n");
  auto const text = [](std::string const& more) {
    return "hdf5_data_reader: {role: train, sample_list: list.txt, data_schema_filename: "
           "data.yaml, experiment_schema_filename: experiment.yaml" +
           more + "}";
  };
  tests::CompiledText const compiled(folder, text(""));
  CHECK(compiled.reading.rendered() == "");
  auto const& entry = compiled.reading.experiment.readers.at(0);
  CHECK(entry.samples == 2);
  REQUIRE(entry.datasets.size() == 2);
  REQUIRE(entry.fields.size() == 2);
  CHECK(entry.fields[0].name.text == "image");
  CHECK(entry.fields[0].dims == std::vector<std::int64_t>{4, 2, 3});
  CHECK(entry.fields[1].name.text == "responses");
  CHECK(entry.fields[1].dims == std::vector<std::int64_t>{1});
  // What is not here is no error before the run; what is wrong is one.
  tests::CompiledText const absent(folder, text(", data_filedir: nowhere"));
  CHECK(absent.reading.rendered() == "");
  CHECK(absent.reading.experiment.readers.at(0).fields[0].dims ==
        std::vector<std::int64_t>{4, 2, 3});
  folder.write("data.yaml", "image:\n  metadata: {dims: [5]}\nenergy:\n");
  CHECK(tests::CompiledText(folder, text(""))
            .reading.rendered()
            .find("a.h5[run/0/image]`: it holds [2, 3, 4], 5 numbers were expected") !=
        std::string::npos);
  std::filesystem::remove(folder.path / "data.yaml");
  CHECK(tests::CompiledText(folder, text(", fields: {samples: {dims: [3]}}"))
            .reading.rendered()
            .find("warning[schema-not-here]") != std::string::npos);
}
