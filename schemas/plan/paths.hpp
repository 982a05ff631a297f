// Which fields of records tell where data lies.
#pragma once

#include <string_view>

namespace lbann {

/// Whether the data reader, callback or metric `type` declares its field `field` as a path.
bool is_path(std::string_view type, std::string_view field);

}  // namespace lbann
