// Calls of the HDF5 library: one at a time, silent, and none that converts or unpacks numbers,
// which is where it trusts what a file says.
#include <hdf5.h>

#include <algorithm>

#include "schemas/samples/hdf5_file.hpp"
#include "schemas/samples/hdf5_session.hpp"
#include "schemas/vocabulary/nearest.hpp"
#include "schemas/vocabulary/shape.hpp"

namespace lbann {

namespace {

/// The type of numbers that is this one to the bit: whatever else a type may say is not read.
Result<Hdf5Number> number_of(hid_t type) {
  auto const kind = H5Tget_class(type);
  if (kind == H5T_ENUM) {  // as h5py writes booleans
    Hdf5Object const base(H5Tget_super(type), H5Tclose);
    if (base.good() && H5Tget_class(base) == H5T_INTEGER) return number_of(base);
  }
  constexpr auto f4 = NpyNumber::f4, f8 = NpyNumber::f8;
  struct Known {
    hid_t type;
    Hdf5Number number;
  };
  Known const known[] = {{H5T_IEEE_F32LE, {f4}},           {H5T_IEEE_F32BE, {f4, true}},
                         {H5T_IEEE_F64LE, {f8}},           {H5T_IEEE_F64BE, {f8, true}},
                         {H5T_STD_I8LE, {NpyNumber::i1}},  {H5T_STD_I8BE, {NpyNumber::i1}},
                         {H5T_STD_U8LE, {NpyNumber::u1}},  {H5T_STD_U8BE, {NpyNumber::u1}},
                         {H5T_STD_I16LE, {NpyNumber::i2}}, {H5T_STD_I16BE, {NpyNumber::i2, true}},
                         {H5T_STD_U16LE, {NpyNumber::u2}}, {H5T_STD_U16BE, {NpyNumber::u2, true}},
                         {H5T_STD_I32LE, {NpyNumber::i4}}, {H5T_STD_I32BE, {NpyNumber::i4, true}},
                         {H5T_STD_U32LE, {NpyNumber::u4}}, {H5T_STD_U32BE, {NpyNumber::u4, true}},
                         {H5T_STD_I64LE, {NpyNumber::i8}}, {H5T_STD_I64BE, {NpyNumber::i8, true}},
                         {H5T_STD_U64LE, {NpyNumber::u8}}, {H5T_STD_U64BE, {NpyNumber::u8, true}}};
  if (kind == H5T_INTEGER || kind == H5T_FLOAT)
    for (auto const& each : known)
      if (H5Tequal(type, each.type) > 0) return each.number;
  if (kind == H5T_FLOAT && H5Tget_size(type) == 2) {
    std::size_t sign = 0, exponent = 0, exponent_bits = 0, fraction = 0, fraction_bits = 0;
    auto const order = H5Tget_order(type);
    if (H5Tget_fields(type, &sign, &exponent, &exponent_bits, &fraction, &fraction_bits) >= 0 &&
        sign == 15 && exponent == 10 && exponent_bits == 5 && fraction == 0 &&
        fraction_bits == 10 && H5Tget_ebias(type) == 15 &&
        (order == H5T_ORDER_LE || order == H5T_ORDER_BE))
      return Hdf5Number{NpyNumber::u2, order == H5T_ORDER_BE, true};
  }
  char const* const what = kind == H5T_STRING      ? "text"
                           : kind == H5T_COMPOUND  ? "compound values"
                           : kind == H5T_ARRAY     ? "arrays"
                           : kind == H5T_VLEN      ? "sequences of various lengths"
                           : kind == H5T_REFERENCE ? "references"
                                                   : "numbers of an unusual type";
  return Problem{"it holds " + std::string(what) +
                 "; integers and floats of 8 to 64 bits can be read"};
}

Result<std::vector<std::int64_t>> dims_of(hid_t space) {
  auto const kind = H5Sget_simple_extent_type(space);
  if (kind == H5S_NULL) return Problem{"it holds nothing"};
  auto const axes = H5Sget_simple_extent_ndims(space);
  if (axes < 0 || axes > 32) return Problem{"the number of its axes cannot be read"};
  std::vector<hsize_t> sizes(static_cast<std::size_t>(axes));
  if (axes > 0 && H5Sget_simple_extent_dims(space, sizes.data(), nullptr) != axes)
    return Problem{"its dims cannot be read"};
  std::vector<std::int64_t> dims;
  for (auto const size : sizes) {
    if (size > (hsize_t{1} << 60)) return Problem{"its samples are too large to count"};
    dims.push_back(static_cast<std::int64_t>(size));
  }
  auto factors = dims;
  factors.push_back(8);
  if (!checked_product(factors)) return Problem{"its samples are too large to count"};
  return dims;
}

Result<std::vector<Hdf5Filter>> filters_of(hid_t properties) {
  std::vector<Hdf5Filter> filters;
  auto const count = H5Pget_nfilters(properties);
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    char name[64] = {};
    auto const filter = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values,
                                       nullptr, sizeof(name), name, nullptr);
    if (filter == H5Z_FILTER_DEFLATE)
      filters.push_back(Hdf5Filter::deflate);
    else if (filter == H5Z_FILTER_SHUFFLE)
      filters.push_back(Hdf5Filter::shuffle);
    else if (filter == H5Z_FILTER_FLETCHER32)
      filters.push_back(Hdf5Filter::fletcher32);
    else
      return Problem{
          "it is packed by filter " + std::to_string(filter) +
          (name[0] != 0 ? " `" + std::string(name) + "`" : "") +
          ", which is not known here; `h5repack -f GZIP=4 OLD NEW` packs it by one that is"};
  }
  return filters;
}

Result<std::shared_ptr<Hdf5Chunks const>> chunks_of(hid_t properties, hid_t type,
                                                    std::vector<std::int64_t> const& dims,
                                                    std::int64_t number_bytes) {
  Hdf5Chunks chunks;
  std::vector<hsize_t> sizes(32);
  auto const axes = H5Pget_chunk(properties, 32, sizes.data());
  if (axes < 1 || static_cast<std::size_t>(axes) != dims.size())
    return Problem{"the size of its chunks is damaged"};
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (sizes[axis] < 1 || sizes[axis] > 0xffffffffu)
      return Problem{"the size of its chunks is damaged"};
    chunks.dims.push_back(static_cast<std::int64_t>(sizes[axis]));
    chunks.counts.push_back((dims[axis] + chunks.dims[axis] - 1) / chunks.dims[axis]);
  }
  auto factors = chunks.dims;
  factors.push_back(number_bytes);
  auto const bytes = checked_product(factors);
  if (!bytes || *bytes > std::int64_t{0xffffffff})
    return Problem{"the size of its chunks is damaged"};
  auto filters = filters_of(properties);
  if (!filters) return filters.problem();
  chunks.filters = std::move(filters).value();
  chunks.number_bytes = number_bytes;
  chunks.fill.resize(static_cast<std::size_t>(number_bytes));
  H5D_fill_value_t fill{};
  if (H5Pfill_value_defined(properties, &fill) >= 0 && fill == H5D_FILL_VALUE_USER_DEFINED &&
      H5Pget_fill_value(properties, type, chunks.fill.data()) < 0)
    return Problem{"its fill value cannot be read"};
  return std::make_shared<Hdf5Chunks const>(std::move(chunks));
}

/// The first number of a chunk, by axes.
std::vector<hsize_t> chunk_corner(Hdf5Chunks const& chunks, std::size_t chunk) {
  std::vector<hsize_t> at(chunks.dims.size());
  auto rest = static_cast<std::int64_t>(chunk);
  for (auto axis = at.size(); axis-- > 0; rest /= chunks.counts[axis]) {
    auto const first = rest % chunks.counts[axis] * chunks.dims[axis];
    at[axis] = static_cast<hsize_t>(first);
  }
  return at;
}

Hdf5Object open_dataset(hid_t file, std::string const& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose};
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  auto const take = [](hid_t, char const* name, H5L_info_t const*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  hsize_t at = 0;
  H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, take, &names);
  return names;
}

/// Why there is no dataset `name`: the first part of the path that is missing, and what is there.
std::string missing(hid_t file, std::string const& name) {
  for (std::size_t end = 0, begin = 0;; begin = end + 1) {
    end = std::min(name.find('/', begin), name.size());
    auto const part = name.substr(begin, end - begin);
    if (!part.empty()) {
      auto const folder = begin > 0 ? name.substr(0, begin - 1) : std::string();
      Hdf5Object const group(H5Gopen2(file, folder.empty() ? "/" : folder.c_str(), H5P_DEFAULT),
                             H5Gclose);
      if (!group.good()) return "`" + folder + "` is no group";
      if (H5Lexists(group, part.c_str(), H5P_DEFAULT) <= 0) {
        auto const names = names_in(group);
        auto const like = nearest(part, {names.begin(), names.end()});
        auto words = "it has no `" + (folder.empty() ? "" : folder + "/") + part + "`";
        if (!like.empty()) return words + "; did you mean `" + like.front() + "`?";
        for (std::size_t i = 0; i < names.size() && i < 8; ++i)
          words += (i == 0 ? "; there is `" : ", `") + names[i] + "`";
        return words + (names.size() > 8 ? ", ..." : "");
      }
    }
    if (end == name.size()) return "`" + name + "` is no dataset";
  }
}

/// Whether the file of an object has the number of `file`; a link may lead elsewhere.
bool lies_in(hid_t object, hid_t file) {
  H5O_info_t of_object, of_file;
  return H5Oget_info2(object, &of_object, H5O_INFO_BASIC) >= 0 &&
         H5Oget_info2(file, &of_file, H5O_INFO_BASIC) >= 0 && of_object.fileno == of_file.fileno;
}

/// What must be added to the places of chunks to have bytes of the file: those of a block of the
/// user's before the HDF5 file, unless this release of the library counts them. The first chunk
/// tells.
std::int64_t bytes_before(hid_t file, hid_t dataset, Hdf5Chunks const& chunks,
                          Hdf5Array const& array) {
  Hdf5Object const creation(H5Fget_create_plist(file), H5Pclose);
  hsize_t block = 0;
  if (!creation.good() || H5Pget_userblock(creation, &block) < 0 || block == 0) return 0;
  for (std::size_t chunk = 0; chunk < chunks.places.size(); ++chunk) {
    auto const& [begin, size, left_out] = chunks.places[chunk];
    if (begin < 0 || size > array.file.size()) continue;
    auto const at = chunk_corner(chunks, chunk);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    std::uint32_t filters = 0;
    if (H5Dread_chunk(dataset, H5P_DEFAULT, at.data(), &filters, bytes.data()) < 0) return 0;
    auto const beyond = array.file.bytes(begin + static_cast<std::int64_t>(block), size);
    return beyond && beyond.value() == bytes ? static_cast<std::int64_t>(block) : 0;
  }
  return 0;
}

/// Where the numbers lie; `array` knows their type and dims.
Result<Success> find_layout(hid_t dataset, hid_t type, hid_t properties, Hdf5Array& array) {
  auto const bytes = array.numbers() * array.number.bytes();
  switch (H5Pget_layout(properties)) {
    case H5D_CHUNKED: {
      auto chunks = chunks_of(properties, type, array.dims, array.number.bytes());
      if (!chunks) return chunks.problem();
      array.chunks = std::move(chunks).value();
      return Success{};
    }
    case H5D_CONTIGUOUS: {
      if (H5Pget_external_count(properties) > 0)
        return Problem{"its numbers lie in other files; `h5repack` puts them into one"};
      auto const begin = H5Dget_offset(dataset);
      if (bytes > 0 && begin == HADDR_UNDEF) return Problem{"its numbers were never written"};
      array.begin = bytes > 0 ? static_cast<std::int64_t>(begin) : 0;
      return Success{};
    }
    case H5D_COMPACT: {
      if (bytes > (1 << 16)) return Problem{"its dims are damaged"};
      std::vector<std::uint8_t> held(static_cast<std::size_t>(bytes));
      if (bytes > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, held.data()) < 0)
        return Problem{"its numbers cannot be read"};
      array.held = std::make_shared<std::vector<std::uint8_t> const>(std::move(held));
      return Success{};
    }
    default:
      return Problem{"it is a view of other datasets; `h5repack` writes the numbers themselves"};
  }
}

}  // namespace

struct Hdf5File::Handle {
  hid_t file;
  explicit Handle(hid_t id) : file(id) {}
  Handle(Handle const&) = delete;
  ~Handle() {
    Hdf5Session const session;
    H5Fclose(file);
  }
};

Result<Hdf5File> Hdf5File::open(std::string const& path) {
  auto file = DataFile::open(path);
  if (!file) return file.problem();
  Hdf5Session const session;
  Hdf5Object const access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Not all network file systems have locks, and nobody writes here.
  H5Pset_file_locking(access, false, true);
  auto const id = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access);
  if (id < 0)
    return file.value().problem("it cannot be opened as an HDF5 file" + session.words() +
                                "; was it copied completely?");
  return Hdf5File(std::move(file).value(), std::make_shared<Handle const>(id));
}

Result<Hdf5Array> Hdf5File::array(std::string const& name) const {
  Hdf5Session const session;
  auto const dataset = open_dataset(handle_->file, name);
  if (!dataset.good()) {
    auto const words = session.words();
    auto const why = missing(handle_->file, name);
    return file_.problem(why + (why.ends_with("is no dataset") ? words : ""));
  }
  Hdf5Array array{
      {}, {}, file_.part(file_.name() + "[" + name + "]", Packing::none, 0, file_.size()),
      -1, {}, {}};
  if (!lies_in(dataset, handle_->file))
    return array.file.problem("it is a link into another file, which is not followed");
  Hdf5Object const space(H5Dget_space(dataset), H5Sclose), type(H5Dget_type(dataset), H5Tclose),
      properties(H5Dget_create_plist(dataset), H5Pclose);
  if (!space.good() || !type.good() || !properties.good())
    return array.file.problem("its header is damaged" + session.words());
  auto dims = dims_of(space);
  if (!dims) return array.file.problem(dims.problem().message);
  array.dims = std::move(dims).value();
  auto const number = number_of(type);
  if (!number) return array.file.problem(number.problem().message);
  array.number = number.value();
  if (auto found = find_layout(dataset, type, properties, array); !found)
    return array.file.problem(found.problem().message);
  return array;
}

Result<Success> Hdf5File::find_chunks(std::string const& name, Hdf5Array& array) const {
  if (!array.chunks || !array.chunks->places.empty()) return Success{};
  auto chunks = *array.chunks;
  auto const count = checked_product(chunks.counts);
  // Each has a byte at least, but for those that were never written.
  if (!count || *count > array.file.size() + (1 << 20))
    return array.file.problem("it promises more chunks than the file has bytes");
  Hdf5Session const session;
  auto const dataset = open_dataset(handle_->file, name);
  if (!dataset.good()) return array.file.problem("it cannot be opened" + session.words());
  chunks.places.resize(static_cast<std::size_t>(*count));
  for (std::size_t chunk = 0; chunk < chunks.places.size(); ++chunk) {
    auto const at = chunk_corner(chunks, chunk);
    unsigned left_out = 0;
    haddr_t begin = HADDR_UNDEF;
    hsize_t size = 0;
    if (H5Dget_chunk_info_by_coord(dataset, at.data(), &left_out, &begin, &size) < 0)
      return array.file.problem("the place of its chunks is damaged" + session.words());
    if (begin != HADDR_UNDEF && size > 0)
      chunks.places[chunk] = {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(size),
                              left_out};
  }
  if (auto const more = bytes_before(handle_->file, dataset, chunks, array); more > 0)
    for (auto& place : chunks.places) place.begin += place.begin < 0 ? 0 : more;
  array.chunks = std::make_shared<Hdf5Chunks const>(std::move(chunks));
  return Success{};
}

std::string hdf5_release() {
  Hdf5Session const session;
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

Result<std::vector<std::string>> Hdf5File::names(std::string const& name) const {
  Hdf5Session const session;
  Hdf5Object const group(H5Gopen2(handle_->file, name.empty() ? "/" : name.c_str(), H5P_DEFAULT),
                         H5Gclose);
  if (!group.good()) {
    auto const why = missing(handle_->file, name);
    return file_.problem(why.ends_with("is no dataset") ? "`" + name + "` is no group" : why);
  }
  return names_in(group);
}

Result<std::vector<std::string>> Hdf5File::names_of_numbers(std::string const& name) const {
  auto names = this->names(name);
  if (!names) return names;
  Hdf5Session const session;
  std::erase_if(names.value(), [&](std::string const& each) {
    auto const dataset = open_dataset(handle_->file, name.empty() ? each : name + "/" + each);
    if (!dataset.good()) return true;
    Hdf5Object const type(H5Dget_type(dataset), H5Tclose);
    auto const kind = type.good() ? H5Tget_class(type) : H5T_NO_CLASS;
    return kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM;
  });
  return names;
}

}  // namespace lbann
