// Molecules of an array, and those that another array names.
#include <algorithm>
#include <cmath>

#include "schemas/samples/list.hpp"
#include "schemas/samples/npz_archive.hpp"

namespace lbann {

namespace {

constexpr std::int64_t bead_features = 20;
constexpr double position_scale = 320, bond_scale = 10;

class MoleculeSamples final : public Samples {
 public:
  MoleculeSamples(std::int64_t num_neighbors, NpyFile features, NpyFile neighbors)
      : fields_{{"samples", {num_neighbors + 1, features.dims[2], features.dims[3]}}},
        num_neighbors_(num_neighbors),
        of_frame_(features.dims[1]),
        numbers_(features.dims[2] * features.dims[3]),
        features_(std::move(features)),
        neighbors_(std::move(neighbors)) {}

  std::int64_t count() const override { return features_.dims[0] * of_frame_; }
  std::vector<GivenField> const& fields() const override { return fields_; }
  Result<Success> load(bool checks_all) override {
    if (auto loaded = features_.load(checks_all); !loaded) return loaded;
    return neighbors_.load(checks_all);
  }

  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    if (auto read = read_molecule(index, 0, values); !read) return read;
    auto const frame = index / of_frame_ * of_frame_;
    auto const row = neighbors_.dims[2];
    for (std::int64_t i = 1; i <= num_neighbors_; ++i) {
      double number = -1;
      auto read = neighbors_.each(index * row + i, 1, [&](std::int64_t, double n) { number = n; });
      if (!read) return read;
      if (number == -1) {
        for (std::int64_t k = 0; k < numbers_; ++k) values.set(i * numbers_ + k, 0);
        continue;
      }
      if (!(number >= 0 && number < static_cast<double>(of_frame_)) || number != std::floor(number))
        return neighbors_.file.problem("neighbour " + std::to_string(i) + " of molecule " +
                                       std::to_string(index) + " is " + std::to_string(number) +
                                       ", neither -1 nor one of the " + std::to_string(of_frame_) +
                                       " molecules of a frame");
      if (auto copied = read_molecule(frame + static_cast<std::int64_t>(number), i, values);
          !copied)
        return copied;
    }
    return Success{};
  }

  std::string place(std::int64_t index, std::size_t) const override {
    return "`" + features_.file.name() + "`: molecule " + std::to_string(index);
  }

 private:
  Result<Success> read_molecule(std::int64_t index, std::int64_t place,
                                FieldValues const& values) const {
    return features_.each(index * numbers_, numbers_, [&](std::int64_t i, double value) {
      auto const feature = i % bead_features;
      auto const scale = feature <= 2 ? position_scale : feature >= 8 ? bond_scale : 1;
      values.set(place * numbers_ + i, value / scale);
    });
  }

  std::vector<GivenField> fields_;
  std::int64_t num_neighbors_, of_frame_,
      numbers_;  ///< molecules of a frame, numbers of a molecule
  NpyFile features_, neighbors_;
};

OpenedSamples open_molecules(data_readers::pilot2_molecular_reader const& reader,
                             std::string const& path) {
  auto const archive = NpzArchive::open(path);
  if (!archive) return archive.problem();
  auto const find = [&](std::string const& name, std::size_t axes) -> Result<NpyFile> {
    auto array = archive.value().array(name);
    if (!array) return array.problem();
    if (!array.value()) return archive.value().file().problem("it holds no array `" + name + "`");
    if (array.value()->dims.size() != axes)
      return array.value()->file.problem("it has " + std::to_string(array.value()->dims.size()) +
                                         " axes, not " + std::to_string(axes));
    if (auto good = check_sample_dims(array.value()->dims); !good)
      return array.value()->file.problem(good.problem().message);
    return *std::move(array).value();
  };
  auto features = find("features", 4), neighbors = find("neighbors", 3);
  if (!features) return features.problem();
  if (!neighbors) return neighbors.problem();
  auto const& dims = neighbors.value().dims;
  auto const& file = neighbors.value().file;
  if (dims[0] != features.value().dims[0] || dims[1] != features.value().dims[1])
    return file.problem("it is not of as many frames and molecules as the array `features`");
  if (reader.max_neighborhood > 0 && dims[2] != 2 * reader.max_neighborhood)
    return file.problem("it holds " + std::to_string(dims[2]) +
                        " neighbours of a molecule, 2 * max_neighborhood are " +
                        std::to_string(2 * reader.max_neighborhood));
  if (reader.num_neighbors >= dims[2])
    return file.problem("it holds " + std::to_string(dims[2] - 1) +
                        " neighbours of a molecule, num_neighbors is " +
                        std::to_string(reader.num_neighbors));
  return opened<MoleculeSamples>(reader.num_neighbors, std::move(features).value(),
                                 std::move(neighbors).value());
}

}  // namespace

std::vector<SampleSource> sources_of(data_readers::pilot2_molecular_reader const& reader,
                                     OpenContext const&) {
  return {source_of_file("data_filename", reader.data_filedir, reader.data_filename, {"samples"},
                         [=](std::string const& path) { return open_molecules(reader, path); })};
}

}  // namespace lbann
