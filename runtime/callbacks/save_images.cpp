// Outputs of layers as pictures.
#include "schemas/callbacks/save_images.hpp"

#include <fmt/format.h>

#include "runtime/callbacks/factories.hpp"
#include "runtime/callbacks/first_images.hpp"
#include "runtime/callbacks/value_files.hpp"
#include "schemas/files/file_name.hpp"
#include "schemas/plan/location.hpp"

namespace lbann::runtime {

namespace {

class SaveImages final : public Callback {
 public:
  SaveImages(callbacks::save_images fields, CallbackContext const& run, Span span)
      : fields_(std::move(fields)),
        run_(run),
        span_(span),
        images_(run, fields_.layers, fields_.execution_modes, fields_.num_images) {}

  bool on_every_rank() const override { return true; }
  bool reads(Iteration const& iteration) const override { return images_.reads(iteration); }

  Result<Success> read(Iteration const& iteration) override {
    // LBANN's names; epochs count those that are finished.
    std::filesystem::path const prefix = fields_.image_prefix;
    auto const phase = iteration.mode == ExecutionMode::testing
                           ? std::string("test")
                           : fmt::format("epoch{}", iteration.epoch + 1);
    for (auto const& picture : images_.take(iteration)) {
      auto const name = prefix.filename().string() + phase + "-" + file_name(picture.layer);
      auto const written = write(picture.pixels, run_.model_folder(prefix.parent_path()) / name);
      if (!written) return Problem{located(run_.plan.sources, span_, written.problem().message)};
    }
    return Success{};
  }

  std::string state() const override { return images_.state(); }
  Result<Success> restore(std::span<std::string const> states) override {
    images_.restore(states);
    return Success{};
  }

 private:
  /// `path` is without its ending.
  Result<Success> write(Pixels const& pixels, std::filesystem::path path) const {
    bool const png = fields_.image_format == callbacks::ImageFormat::png;
    path += png ? ".png" : ".jpg";
    auto const bytes = png ? encode_png(pixels) : encode_jpeg(pixels);
    if (!bytes) return Problem{path.string() + ": " + bytes.problem().message};
    auto const* const begin = reinterpret_cast<char const*>(bytes.value().data());
    return write_file(path, {begin, bytes.value().size()});
  }

  callbacks::save_images fields_;
  CallbackContext const& run_;
  Span span_;
  FirstImages images_;
};

}  // namespace

std::unique_ptr<Callback> callback_of(callbacks::save_images const& fields,
                                      CallbackContext const& run, Span span) {
  return std::make_unique<SaveImages>(fields, run, span);
}

}  // namespace lbann::runtime
