// A reader as the compiler opens it and as a run does.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "schemas/samples/open_samples.hpp"
#include "tests/compiler/experiment/read_text.hpp"

namespace lbann::tests {

struct DataFolder {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("lbann_data_agreement_test_" + std::to_string(::getpid()));
  DataFolder() { std::filesystem::create_directories(path); }
  ~DataFolder() { std::filesystem::remove_all(path); }
  void write(std::string const& name, std::string const& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
  void write(std::string const& name, std::vector<std::uint8_t> const& bytes) const {
    write(name, std::string(bytes.begin(), bytes.end()));
  }
  void write_gzip(std::string const& name, std::string const& bytes) const {
    auto* const file = gzopen((path / name).c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
  }
};

/// The reader that this text declares, and what the compiler knows of its samples.
struct CompiledText {
  compiler::Reading reading;
  DataReader reader;

  CompiledText(DataFolder const& folder, std::string const& text)
      : reading(
            "trainer: {mini_batch_size: 1, training_algorithm: {sgd: {max_epochs: 1}}}\n"
            "model: {layers: [relu: ]}\ndata_reader:\n  - " +
                text + "\n",
            {}, {}, {{folder.path.string()}}) {
    auto const& declaration = reading.experiment.readers.at(0).declaration;
    take<0>(declaration.type->record(declaration.object.get()));
  }

 private:
  template <std::size_t number>
  void take(Record const& record) {
    if constexpr (number < std::variant_size_v<DataReader>) {
      auto const read = from_record<std::variant_alternative_t<number, DataReader>>(record);
      if (read)
        reader = *read;
      else
        take<number + 1>(record);
    }
  }
};

/// The compiler finds `words` in this reader's files, and so does the run.
inline void both_refuse(DataFolder const& folder, std::string const& text,
                        std::string const& words) {
  CAPTURE(text);
  CompiledText const compiled(folder, text);
  CHECK(compiled.reading.rendered().find(words) != std::string::npos);
  auto const run = load_samples(compiled.reader, {{folder.path.string()}}, true);
  REQUIRE_FALSE(run.good());
  CHECK(run.problem().message.find(words) != std::string::npos);
}

/// The compiler knows the number of samples and all dims, and the run finds them.
inline void both_take(DataFolder const& folder, std::string const& text, std::int64_t count) {
  CAPTURE(text);
  CompiledText const compiled(folder, text);
  CHECK(compiled.reading.rendered() == "");
  auto const& entry = compiled.reading.experiment.readers.at(0);
  CHECK(entry.samples == count);
  auto const run = load_samples(compiled.reader, {{folder.path.string()}}, true);
  if (!run) FAIL(run.problem().message);
  CHECK(run.value()->count() == count);
  REQUIRE(run.value()->fields().size() == entry.fields.size());
  for (auto const& given : run.value()->fields()) {
    auto const* found = &entry.fields[0];
    for (auto const& field : entry.fields)
      if (field.name.text == given.name) found = &field;
    CHECK(found->name.text == given.name);
    CHECK(found->dims == given.dims);
    auto const elements = elements_of(given.dims);
    std::vector<double> values(static_cast<std::size_t>(elements));
    auto const field = static_cast<std::size_t>(&given - run.value()->fields().data());
    CHECK(run.value()->read(count - 1, field, {values.data(), DataType::f64, elements}).good());
  }
}

}  // namespace lbann::tests
