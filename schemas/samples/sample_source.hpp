// What samples are opened from, as a data reader names it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/samples/data_places.hpp"
#include "schemas/samples/samples.hpp"

namespace lbann {

class FileStaging;
class PythonWorkers;

/// Decodes the image of a file with these bytes to [channels, height, width] with `channels` 1 or
/// 3, in values 0 to 255. `image` keeps its memory from call to call. Problems name no file.
using DecodeImage = Result<Success> (*)(std::span<std::uint8_t const> bytes, std::int64_t channels,
                                        SampleValues& image);

/// What readers find around them.
struct OpenContext {
  DataPlaces places = {};
  std::string python = {};             ///< interpreter, as `python_interpreter` takes it
  PythonWorkers* workers = nullptr;    ///< processes started before; null: readers start their own
  bool probes_user_code = false;       ///< whether the compiler, too, runs a user's program
  int user_output = 1;                 ///< file that is such a program's standard output
  DecodeImage decode_image = nullptr;  ///< of the runtime; the compiler decodes no images
  std::int64_t seed = 0;               ///< of what readers draw at random
  FileStaging* staging = nullptr;      ///< for readers of many files; null: none
  std::int64_t trainer = 0;            ///< whose samples are opened, where each has its own
  /// The fields that are read, with the dims that they must have; nothing: all. What gives no other
  /// than targets need not be there if they are not among these.
  std::optional<std::vector<data_readers::GivenField>> wanted = {};
  bool replaces_labels = false;  ///< whether `labels` are not read, although they are wanted

  bool wants(std::string_view field) const {
    if (replaces_labels && field == "labels") return false;
    return !wanted ||
           std::ranges::find(*wanted, field, &data_readers::GivenField::name) != wanted->end();
  }
  /// Elements of a sample of `field`, where it is among `wanted`; else -1.
  std::int64_t wanted_elements(std::string_view field) const;
};

/// A file, several that are read as one, or something that makes samples by itself. A reader with
/// several of them gives the fields of each.
struct SampleSource {
  std::string field;               ///< of the reader, which names it, e.g. `data_filename`
  std::string name;                ///< what messages call it
  std::vector<std::string> paths;  ///< files as the experiment writes them
  std::vector<std::string> tells;  ///< data fields whose dims only this source can tell
  std::string told_by;             ///< what messages put before these dims
  /// Opens it, given where each of `paths` was found: reads headers, or what else tells number and
  /// dims of the samples. Problems begin with the name of the file.
  std::function<OpenedSamples(std::vector<std::string> const& found)> open;
  bool are_folders = false;  ///< whether `paths` are folders, not files
  bool are_parts = false;    ///< whether each file has samples of its own: some can be left out
  std::string folder = {}, local_folder = {};  ///< of the files, and of copies on the node

  /// The first place where `path`, one of `paths`, is; the problem tells where it was looked for.
  Result<std::string> find(std::string const& path, DataPlaces const& places) const;
};

/// A source of the files `names` in `folder`.
SampleSource source_of_files(
    std::string field, std::string const& folder, std::vector<std::string> const& names,
    std::vector<std::string> tells,
    std::function<OpenedSamples(std::vector<std::string> const& found)> open);

/// The same of a single file.
SampleSource source_of_file(std::string field, std::string const& folder, std::string const& name,
                            std::vector<std::string> tells,
                            std::function<OpenedSamples(std::string const& found)> open);

/// The same of a single folder.
SampleSource source_of_folder(std::string field, std::string const& folder,
                              std::vector<std::string> tells,
                              std::function<OpenedSamples(std::string const& found)> open);

/// A source that is no file, of samples that the reader itself describes.
SampleSource source_of_nothing(std::function<OpenedSamples()> open);

}  // namespace lbann
