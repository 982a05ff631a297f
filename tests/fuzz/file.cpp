// Fuzzes one reader of files: it opens and gives its samples, or a message that names the file.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "schemas/samples/open_samples.hpp"

using namespace lbann;

namespace {

/// A file in memory that has a path.
class MemoryFile {
 public:
  MemoryFile(std::uint8_t const* data, std::size_t size) : file_(::memfd_create("fuzzed", 0)) {
    if (file_ < 0 || ::write(file_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(MemoryFile const&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

#if defined(LBANN_FUZZ_NPY)
data_readers::numpy reader_of(std::string const& path, std::uint8_t choice) {
  data_readers::numpy reader;
  reader.data_filename = path;
  reader.disable_labels = choice % 3 != 1;
  reader.disable_responses = choice % 3 != 2;
  reader.num_labels = 10;
  return reader;
}
#elif defined(LBANN_FUZZ_NPZ)
data_readers::numpy_npz reader_of(std::string const& path, std::uint8_t) {
  data_readers::numpy_npz reader;
  reader.data_filename = path;
  reader.num_labels = 10;
  return reader;
}
#elif defined(LBANN_FUZZ_CSV)
data_readers::csv reader_of(std::string const& path, std::uint8_t choice) {
  data_readers::csv reader;
  reader.data_filename = path;
  reader.has_header = choice % 2 == 0;
  reader.disable_labels = choice % 3 == 0;
  reader.num_labels = 10;
  reader.skip_cols = choice % 5 == 0 ? 1 : 0;
  return reader;
}
#elif defined(LBANN_FUZZ_IDX)
/// Images and labels of the same bytes, which cannot both fit, or images with labels of another
/// file.
data_readers::mnist reader_of(std::string const& path, std::uint8_t) {
  data_readers::mnist reader;
  reader.data_filename = path;
  return reader;
}
#endif

/// The first and the last sample, field by field.
void read_samples(Samples const& samples) {
  auto const& fields = samples.fields();
  if (samples.count() < 1) return;
  for (std::size_t field = 0; field < fields.size(); ++field) {
    auto const count = checked_product(fields[field].dims);
    if (!count || *count > 1 << 20) continue;
    std::vector<double> values(static_cast<std::size_t>(*count));
    for (auto const index : {std::int64_t{0}, samples.count() - 1}) {
      auto const read = samples.read(index, field, {values.data(), DataType::f64, *count});
      if (!read && read.problem().message.empty()) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size == 0) return 0;
  // The last byte chooses among the reader's fields, so that a seed is a file as it is.
  MemoryFile const file(data, size);
  auto reader = reader_of(file.path(), data[size - 1]);
#if defined(LBANN_FUZZ_IDX)
  // As many labels as the header of the images announces, up to a limit.
  std::uint32_t images = 0;
  for (std::size_t i = 4; i < 8; ++i) images = images << 8 | (i < size ? data[i] : 0u);
  std::vector<std::uint8_t> labels = {0, 0, 8, 1, 0, 0, 0, 0};
  images = std::min<std::uint32_t>(images, 1000);
  for (std::size_t i = 0; i < 4; ++i)
    labels[4 + i] = static_cast<std::uint8_t>(images >> (24 - 8 * i));
  labels.resize(8 + images, 3);
  MemoryFile const others(labels.data(), labels.size());
  reader.label_filename = others.path();
#endif
  auto const samples = load_samples(reader, {}, true);
  if (samples)
    read_samples(*samples.value());
  else if (samples.problem().message.empty())
    std::abort();
#if defined(LBANN_FUZZ_IDX)
  reader.label_filename = file.path();
  reader.data_filename = others.path();
  if (auto const swapped = load_samples(reader, {}, true); swapped) read_samples(*swapped.value());
#endif
  return 0;
}
