// Image files whose decoding is left to a function of the test.
#pragma once

#include "tests/schemas/samples/file_case.hpp"

namespace lbann::tests {

/// A file is its width in one byte, 2 pixels high; every value is 10 times its channel.
inline Result<Success> decode_width(std::span<std::uint8_t const> bytes, std::int64_t channels,
                                    SampleValues& image) {
  if (bytes.empty()) return Problem{"it is empty"};
  image.replace(channels, 2, bytes[0]);
  for (std::size_t i = 0; i < image.values.size(); ++i)
    image.values[i] = 10.0 * static_cast<double>(i / (2 * std::size_t{bytes[0]}));
  return Success{};
}

inline OpenContext image_context() {
  OpenContext context;
  context.decode_image = decode_width;
  return context;
}

/// What is wrong with opening or loading, without the folder's name; empty: nothing.
template <class Reader>
std::string image_problem(Reader const& reader, ScratchFolder const& folder) {
  auto const loaded = load_samples(reader, image_context(), true);
  if (loaded) return "";
  auto text = loaded.problem().message;
  for (auto at = text.find(folder.path()); at != text.npos; at = text.find(folder.path()))
    text.replace(at, folder.path().size() + 1, "");
  return text;
}

}  // namespace lbann::tests
