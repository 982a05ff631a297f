// Datasets in every layout against the numbers that were written, and damaged files.
#include "schemas/samples/hdf5_file.hpp"

#include <doctest/doctest.h>

#include <numeric>

#include "tests/schemas/samples/scratch_folder.hpp"
#include "tests/support/hdf5_writer.hpp"

// The library forgets memory where it gives up on a damaged file; it is not ours to free.
extern "C" char const* __lsan_default_suppressions() { return "leak:^H5\n"; }

using namespace lbann;
using tests::Hdf5Storage;
using tests::Hdf5Writer;

namespace {

template <class T>
std::vector<T> counting(std::size_t count, double step = 1) {
  std::vector<T> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<T>((static_cast<double>(i) - 3) * step);
  return numbers;
}

/// Rows `first` to `first + count` of a dataset as double.
std::vector<double> rows_of(Hdf5Array const& array, std::int64_t first, std::int64_t count) {
  std::vector<double> numbers(static_cast<std::size_t>(count * array.row()), -99);
  auto const read = array.read(
      first, count, {numbers.data(), DataType::f64, static_cast<std::int64_t>(numbers.size())});
  if (!read) FAIL(read.problem().message);
  return numbers;
}

Hdf5Array loaded(std::string const& path, std::string const& name) {
  auto array = load_hdf5_array(path, name);
  if (!array) FAIL(array.problem().message);
  return std::move(array).value();
}

std::string problem(std::string const& path, std::string const& name) {
  auto const array = load_hdf5_array(path, name);
  if (!array) return array.problem().message;
  std::vector<double> numbers(static_cast<std::size_t>(array.value().numbers()));
  auto const read = array.value().read(
      0, array.value().rows(),
      {numbers.data(), DataType::f64, static_cast<std::int64_t>(numbers.size())});
  return read ? "" : read.problem().message;
}

/// A dataset of 7 x 5 x 3 numbers, all of it and each of its rows.
template <class T>
void check_numbers(tests::ScratchFolder const& folder, Hdf5Storage const& storage, bool latest) {
  auto const path = folder.path() + "/a.h5";
  auto const numbers = counting<T>(105);
  {
    Hdf5Writer writer(path, latest);
    writer.write<T>("group/data", {7, 5, 3}, numbers, storage);
  }
  auto const array = loaded(path, "group/data");
  CHECK(array.dims == std::vector<std::int64_t>{7, 5, 3});
  std::vector<double> const wanted(numbers.begin(), numbers.end());
  CHECK(rows_of(array, 0, 7) == wanted);
  // Chunks as they are read where they are too large to be kept.
  auto unkept = array;
  if (array.chunks) unkept.held.reset();
  for (std::int64_t row = 0; row < 7; ++row) {
    std::vector<double> const one(wanted.begin() + row * 15, wanted.begin() + row * 15 + 15);
    CHECK(rows_of(array, row, 1) == one);
    CHECK(rows_of(unkept, row, 1) == one);
  }
  CHECK(rows_of(unkept, 2, 4) ==
        std::vector<double>(wanted.begin() + 2 * 15, wanted.begin() + 6 * 15));
}

}  // namespace

TEST_CASE("HDF5 numbers of every type and layout are those that were written") {
  tests::ScratchFolder const folder;
  std::vector<Hdf5Storage> layouts(7);
  layouts[1].chunk = {2, 5, 2};
  layouts[2].chunk = {3, 2, 3};
  layouts[2].deflate = layouts[2].shuffle = true;
  layouts[3].chunk = {7, 5, 3};
  layouts[3].deflate = layouts[3].shuffle = layouts[3].fletcher32 = true;
  layouts[4].chunk = {1, 4, 2};
  layouts[4].fletcher32 = true;
  layouts[5].compact = true;
  layouts[6].big_endian = true;
  for (auto const latest : {false, true})
    for (auto const& layout : layouts) {
      CAPTURE(&layout - layouts.data());
      check_numbers<float>(folder, layout, latest);
      check_numbers<double>(folder, layout, latest);
      check_numbers<std::int16_t>(folder, layout, latest);
      check_numbers<std::int32_t>(folder, layout, latest);
      check_numbers<std::int64_t>(folder, layout, latest);
    }
}

TEST_CASE("HDF5 floats are copied to tensors of their type, and scaled") {
  tests::ScratchFolder const folder;
  auto const path = folder.path() + "/a.h5";
  auto const numbers = counting<float>(3000, 0.37);
  {
    Hdf5Writer writer(path);
    writer.write<float>("x", {2, 1500}, numbers);
    writer.write<std::int16_t>("scaled", {2, 2}, {1, -2, 3, 4});
    writer.write<double>("one", {}, {2.5});
    writer.write<std::int32_t>("large", {}, {16777217});
  }
  std::vector<float> read(1500);
  CHECK(loaded(path, "x").read(1, 1, {read.data(), DataType::f32, 1500}).good());
  CHECK(read == std::vector<float>(numbers.begin() + 1500, numbers.end()));
  CHECK(loaded(path, "scaled").read(0, 1, {read.data(), DataType::f32, 2}, 0.5).good());
  CHECK(read[1] == -1);
  CHECK(loaded(path, "large")
            .read(0, 1, {read.data(), DataType::f32, 1})
            .problem()
            .message.find("[large]`: its number 16777217 is not exact in 32 bits") !=
        std::string::npos);
  CHECK(rows_of(loaded(path, "large"), 0, 1) == std::vector<double>{16777217});
  auto const one = loaded(path, "one");
  CHECK(one.dims.empty());
  CHECK(one.rows() == 1);
  CHECK(rows_of(one, 0, 1) == std::vector<double>{2.5});
}

TEST_CASE("HDF5 floats of 16 bits and booleans are read") {
  tests::ScratchFolder const folder;
  auto const path = folder.path() + "/a.h5";
  {
    Hdf5Writer writer(path);
    auto const half = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(half, 15, 10, 5, 0, 10);
    H5Tset_size(half, 2);
    H5Tset_ebias(half, 15);
    auto const logical = H5Tenum_create(H5T_STD_I8LE);
    std::int8_t value = 0;
    H5Tenum_insert(logical, "FALSE", &value);
    value = 1;
    H5Tenum_insert(logical, "TRUE", &value);
    hsize_t const sizes[] = {6};
    auto const space = H5Screate_simple(1, sizes, nullptr);
    auto write = [&](char const* name, hid_t type, void const* numbers) {
      auto const set =
          H5Dcreate2(writer.file(), name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
      H5Dclose(set);
    };
    std::uint16_t const halves[] = {0x3c00, 0xc000, 0x3555, 0x0001, 0x7bff, 0x8000};
    std::int8_t const logicals[] = {1, 0, 0, 1, 1, 0};
    write("half", half, halves);
    write("logical", logical, logicals);
    H5Sclose(space);
    H5Tclose(half);
    H5Tclose(logical);
  }
  CHECK(rows_of(loaded(path, "half"), 0, 6) ==
        std::vector<double>{1, -2, 0.333251953125, 5.9604644775390625e-8, 65504, 0});
  CHECK(rows_of(loaded(path, "logical"), 0, 6) == std::vector<double>{1, 0, 0, 1, 1, 0});
}

TEST_CASE("HDF5 files with a block of the user's before them are read") {
  tests::ScratchFolder const folder;
  auto const path = folder.path() + "/a.mat";
  {
    Hdf5Writer writer(path, false, 512);
    writer.write<double>("x", {2, 2}, {1, 2, 3, 4});
    Hdf5Storage packed;
    packed.chunk = {1, 2};
    packed.deflate = true;
    writer.write<double>("packed", {2, 2}, {1, 2, 3, 4}, packed);
  }
  CHECK(rows_of(loaded(path, "x"), 1, 1) == std::vector<double>{3, 4});
  CHECK(rows_of(loaded(path, "packed"), 1, 1) == std::vector<double>{3, 4});
}

TEST_CASE("HDF5 chunks that were never written hold the fill value") {
  tests::ScratchFolder const folder;
  auto const path = folder.path() + "/a.h5";
  {
    Hdf5Writer writer(path);
    hsize_t const sizes[] = {4}, chunk[] = {2};
    auto const space = H5Screate_simple(1, sizes, nullptr);
    auto const creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, chunk);
    float const fill = 7;
    H5Pset_fill_value(creation, H5T_NATIVE_FLOAT, &fill);
    H5Dclose(
        H5Dcreate2(writer.file(), "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Dclose(H5Dcreate2(writer.file(), "y", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT));
    H5Sclose(space);
  }
  CHECK(rows_of(loaded(path, "x"), 0, 4) == std::vector<double>{7, 7, 7, 7});
  CHECK(problem(path, "y").find("a.h5[y]`: its numbers were never written") != std::string::npos);
}

TEST_CASE("HDF5 problems name file and dataset, and what is there instead") {
  tests::ScratchFolder const folder;
  auto const path = folder.path() + "/a.h5";
  {
    Hdf5Writer writer(path);
    writer.write<float>("inputs/left", {2}, {1, 2});
    writer.write<float>("inputs/right", {2}, {1, 2});
    auto const text = H5Tcopy(H5T_C_S1);
    auto const space = H5Screate(H5S_SCALAR);
    H5Dclose(H5Dcreate2(writer.file(), "name", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Tclose(text);
    H5Lcreate_external("b.h5", "/x", writer.file(), "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  }
  {
    Hdf5Writer writer(folder.path() + "/b.h5");
    writer.write<float>("x", {2}, {1, 2});
  }
  auto const says = [&](std::string const& name, std::string const& words) {
    auto const found = problem(path, name);
    CAPTURE(found);
    CHECK(found.find(words) != std::string::npos);
    CHECK(found.find("a.h5") != std::string::npos);
  };
  says("inputs/lefd", "it has no `inputs/lefd`; did you mean `left`?");
  says("input/left", "it has no `input`; did you mean `inputs`?");
  says("zzzzzzzz", "it has no `zzzzzzzz`; there is `elsewhere`, `inputs`, `name`");
  says("inputs", "`inputs` is no dataset");
  says("inputs/left/x", "`inputs/left` is no group");
  says("name", "[name]`: it holds text; integers and floats of 8 to 64 bits can be read");
  says("elsewhere", "[elsewhere]`: it is a link into another file, which is not followed");
  folder.write_text("c.h5", "no HDF5");
  CHECK(problem(folder.path() + "/c.h5", "x").find("c.h5`: it cannot be opened as an HDF5 file") !=
        std::string::npos);
  CHECK(problem(folder.path() + "/d.h5", "x").find("d.h5`: it") != std::string::npos);
  auto const file = Hdf5File::open(path);
  REQUIRE(file.good());
  CHECK(file.value().names("").value() == std::vector<std::string>{"elsewhere", "inputs", "name"});
  CHECK(file.value().names("inputs").value() == std::vector<std::string>{"left", "right"});
  CHECK_FALSE(file.value().names("name").good());
}

TEST_CASE("HDF5 files that are cut or changed anywhere give a message or numbers, never more") {
  tests::ScratchFolder const folder;
  auto const path = folder.path() + "/a.h5";
  for (auto const latest : {false, true}) {
    {
      Hdf5Writer writer(path, latest);
      Hdf5Storage packed;
      packed.chunk = {2, 3};
      packed.deflate = packed.shuffle = packed.fletcher32 = true;
      writer.write<float>("data", {4, 6}, counting<float>(24));
      writer.write<std::int16_t>("packed", {5, 6}, counting<std::int16_t>(30), packed);
      writer.write<double>("runs/1/x", {}, {1});
    }
    std::vector<std::uint8_t> good;
    {
      auto const file = DataFile::open(path);
      good = file.value().bytes(0, file.value().size()).value();
    }
    std::vector<std::string> const names{"data", "packed", "runs/1/x"};
    for (auto const& name : names) CHECK(problem(path, name) == "");
    for (std::size_t size = 0; size < good.size(); size += 97) {
      folder.write("a.h5", {good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)});
      CHECK(problem(path, "data").find("a.h5") != std::string::npos);
    }
    // Where a header lies: all bytes that are not zero, and some that are.
    for (std::size_t at = 0, flip = 0; at < good.size(); ++at) {
      if (good[at] == 0 && at % 16 != 0) continue;
      auto bytes = good;
      bytes[at] ^= std::vector<std::uint8_t>{0xff, 0x01, 0x80}[flip++ % 3];
      folder.write("a.h5", bytes);
      for (auto const& name : names) {
        auto const words = problem(path, name);
        CHECK((words.empty() || words.find("a.h5") != std::string::npos));
      }
    }
  }
}
