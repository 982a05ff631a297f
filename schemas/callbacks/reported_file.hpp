// Files of callbacks that a report of a run shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lbann::callbacks {

/// A declaration of a callback that writes such files has a member `std::vector<ReportedFile>
/// reported() const`, in the order in which they are shown.
struct ReportedFile {
  enum class Kind : std::uint8_t {
    confusion_matrix,  ///< text: fractions, a row per predicted class, a column per label
    image              ///< PNG or JPEG
  };
  Kind kind;
  std::string title;  ///< what it shows, e.g. `validation`
  /// In the folder of the run. A `*` stands for the number of epochs that were finished; of these
  /// files the last one is shown.
  std::string path;
};

/// The files of a callback of any declared type; none by default.
template <class Callback>
std::vector<ReportedFile> reported_by(Callback const& callback) {
  if constexpr (requires { callback.reported(); })
    return callback.reported();
  else
    return {};
}

}  // namespace lbann::callbacks
