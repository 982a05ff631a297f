// The file of a data reader's sample list.
#pragma once

#include <string>

#include "schemas/data_formats/sample_list.hpp"
#include "schemas/data_readers/reader.hpp"

namespace lbann {

/// Its path: `folder/list`, or `folder/t3_list` of trainer 3 where each has a list of its own.
std::string sample_list_path(data_readers::reader const& reader, std::int64_t trainer);

/// Reads it; problems begin with its name.
Result<SampleList> read_sample_list(std::string const& path);

}  // namespace lbann
