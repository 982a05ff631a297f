// Lists arrays of a folder, a NumPy archive, a safetensors file.
#include "runtime/checkpoints/stored_arrays.hpp"

#include <algorithm>
#include <memory>

#include "runtime/checkpoints/safetensors.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/samples/npz_archive.hpp"

namespace lbann::runtime {

namespace {

namespace fs = std::filesystem;
using Arrays = Result<std::vector<StoredArray>>;

Arrays arrays_of_folder(fs::path const& folder, std::string const& extension) {
  std::vector<StoredArray> arrays;
  std::error_code error;
  // As `file_name` writes it behind a name.
  auto const ending = file_name("x." + extension).substr(1);
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    auto const file = entry->path().filename().string();
    if (!file.ends_with(ending) || file.size() == ending.size()) continue;
    arrays.push_back({name_of_file(file.substr(0, file.size() - ending.size())),
                      [path = entry->path().string()] { return open_npy_file(path); }});
  }
  if (error) return Problem{'`' + folder.string() + "`: cannot be read: " + error.message()};
  return arrays;
}

Arrays arrays_of_npz(std::string const& path) {
  auto opened = NpzArchive::open(path);
  if (!opened) return opened.problem();
  auto const archive = std::make_shared<NpzArchive const>(std::move(opened).value());
  std::vector<StoredArray> arrays;
  for (auto const& name : archive->names())
    arrays.push_back({name, [archive, name]() -> Result<NpyFile> {
                        auto array = archive->array(name);
                        if (!array) return array.problem();
                        return *std::move(array).value();
                      }});
  return arrays;
}

/// The tensors of a safetensors file and the byte at which their data begin.
struct SafetensorsContent {
  std::vector<SafetensorsEntry> entries;
  std::int64_t data = 0;
};

Result<SafetensorsContent> read_safetensors(DataFile const& file) {
  auto const prefix = file.first(safetensors_prefix);
  if (!prefix) return prefix.problem();
  auto const length = safetensors_header_bytes(prefix.value(), file.size());
  if (!length) return file.problem(length.problem().message);
  auto const json = file.bytes(safetensors_prefix, length.value());
  if (!json) return json.problem();
  auto const data = safetensors_prefix + length.value();
  std::string_view const text(reinterpret_cast<char const*>(json.value().data()),
                              json.value().size());
  auto entries = parse_safetensors_header(text, file.size() - data);
  if (!entries) return file.problem(entries.problem().message);
  return SafetensorsContent{std::move(entries).value(), data};
}

Arrays arrays_of_safetensors(std::string const& path) {
  auto const opened = DataFile::open(path);
  if (!opened) return opened.problem();
  auto const& file = opened.value();
  auto const content = read_safetensors(file);
  if (!content) return content.problem();
  std::vector<StoredArray> arrays;
  for (auto const& entry : content.value().entries) {
    auto const bytes = entry.end - entry.begin;
    auto const part = file.part(file.name() + '[' + entry.name + ']', Packing::none,
                                content.value().data + entry.begin, bytes);
    NpyFile const array{entry.dims, *npy_number(entry.type), part, 0,
                        bytes / static_cast<std::int64_t>(bytes_of(entry.type))};
    arrays.push_back({entry.name, [array]() -> Result<NpyFile> { return array; }});
  }
  return arrays;
}

Arrays unsorted_arrays(fs::path const& path, std::string const& extension) {
  std::error_code error;
  auto const status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found)
    return Problem{path.string() + ": no such folder or file"};
  if (fs::is_directory(status)) return arrays_of_folder(path, extension);
  if (path.extension() == ".npz") return arrays_of_npz(path.string());
  if (path.extension() == ".safetensors") return arrays_of_safetensors(path.string());
  return Problem{path.string() +
                 ": is neither a folder of .npy files nor a .npz nor a .safetensors file"};
}

}  // namespace

Arrays find_stored_arrays(fs::path const& path, std::string const& extension) {
  auto arrays = unsorted_arrays(path, extension);
  if (!arrays) return arrays;
  std::ranges::sort(arrays.value(), {}, &StoredArray::name);
  auto const twice = std::ranges::adjacent_find(arrays.value(), {}, &StoredArray::name);
  if (twice != arrays.value().end())
    return Problem{'`' + path.string() + "`: holds `" + twice->name + "` twice"};
  return arrays;
}

}  // namespace lbann::runtime
