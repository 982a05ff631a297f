// Opens libraries, checks what they offer, and calls them.
#include "kernels/external_layer.hpp"

#include <dlfcn.h>

#include <filesystem>

namespace lbann::kernels {

namespace {

std::vector<lbann_tensor> tensors_of(std::span<View const> views) {
  std::vector<lbann_tensor> tensors;
  for (auto const& view : views)
    tensors.push_back({view.data, view.extents.data(), view.rank,
                       view.type == DataType::f64 ? LBANN_FLOAT64 : LBANN_FLOAT32, LBANN_HOST});
  return tensors;
}

/// The same without data, for `setup`.
std::vector<lbann_tensor> shapes_of(std::vector<lbann_tensor> tensors) {
  for (auto& tensor : tensors) tensor.data = nullptr;
  return tensors;
}

operators::ExternalLibrary const* library_of(Operator const& op) {
  if (auto const* forward = std::get_if<operators::external>(&op)) return forward;
  return std::get_if<operators::external_gradient>(&op);
}

std::string error_of_loader() {
  char const* const text = dlerror();
  return text == nullptr ? "unknown error" : text;
}

class ExternalKernel : public Kernel {
 public:
  explicit ExternalKernel(std::unique_ptr<ExternalLayer> layer) : layer_(std::move(layer)) {}
  void run() override { layer_->run(); }

 private:
  std::unique_ptr<ExternalLayer> layer_;
};

}  // namespace

ExternalLayer::ExternalLayer(Call const& call) {
  views_.assign(call.inputs.begin(), call.inputs.end());
  views_.insert(views_.end(), call.outputs.begin(), call.outputs.end());
  std::span<View const> const all = views_;
  auto const given = call.inputs.size();
  auto const* const gradient = std::get_if<operators::external_gradient>(call.op);
  auto const inputs = gradient == nullptr ? given : static_cast<std::size_t>(gradient->inputs);
  auto const outputs = gradient == nullptr ? call.outputs.size() : (given - inputs) / 2;
  inputs_ = tensors_of(all.first(inputs));
  outputs_ = tensors_of(all.subspan(inputs, outputs));
  if (gradient == nullptr) return;
  output_gradients_ = tensors_of(all.subspan(inputs + outputs, outputs));
  input_gradients_ = tensors_of(all.subspan(given));
}

ExternalLayer::~ExternalLayer() {
  if (layer_.destroy != nullptr) layer_.destroy(layer_.state);
}

Result<std::unique_ptr<ExternalLayer>> ExternalLayer::open(Call const& call) {
  auto const& [filename, name] = *library_of(*call.op);
  for (auto const& view : call.inputs)
    if (view.type != DataType::f32 && view.type != DataType::f64)
      return Problem{"libraries of layers work on f32 and f64 only"};
  std::error_code none;
  auto const here = std::filesystem::exists(filename, none);
  auto const path = here ? std::filesystem::absolute(filename, none).string() : filename;
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return Problem{"the library `" + filename + "` cannot be opened: " + error_of_loader() +
                   "; paths start at the working directory"};
  std::unique_ptr<ExternalLayer> result(new ExternalLayer(call));
  result->library_ = {handle, [](void* each) { dlclose(each); }};

  auto const symbol = "setup_" + name;
  auto const setup = reinterpret_cast<lbann_setup_function>(dlsym(handle, symbol.c_str()));
  if (setup == nullptr)
    return Problem{"the library `" + filename + "` does not export `" + symbol +
                   "` (in C++ declare it extern \"C\")"};
  auto const inputs = shapes_of(result->inputs_), outputs = shapes_of(result->outputs_);
  lbann_external_layer layer{};
  if (char const* const why =
          setup(inputs.data(), static_cast<std::int32_t>(inputs.size()), outputs.data(),
                static_cast<std::int32_t>(outputs.size()), &layer))
    return Problem{"the library `" + filename + "` refuses `" + name + "`: " + why};
  if (layer.version != LBANN_EXTERNAL_LAYER_VERSION)
    return Problem{"the library `" + filename + "` was built for version " +
                   std::to_string(layer.version) + " of lbann/external_layer.h; build it with " +
                   std::to_string(LBANN_EXTERNAL_LAYER_VERSION)};
  result->layer_ = layer;
  bool const backward = std::holds_alternative<operators::external_gradient>(*call.op);
  if (layer.forward == nullptr)
    return Problem{"the library `" + filename + "` gives `" + name + "` no `forward`"};
  if (backward && layer.backward == nullptr)
    return Problem{
        "the library `" + filename + "` gives `" + name +
        "` no `backward`; write `differentiable: false` if no gradient flows through it"};
  return Result<std::unique_ptr<ExternalLayer>>(std::move(result));
}

std::unique_ptr<Kernel> ExternalLayer::bind(Call const& call) {
  auto opened = open(call);
  if (!opened) return nullptr;
  return std::make_unique<ExternalKernel>(std::move(opened.value()));
}

void ExternalLayer::run() const {
  if (output_gradients_.empty())
    layer_.forward(layer_.state, inputs_.data(), outputs_.data());
  else
    layer_.backward(layer_.state, inputs_.data(), outputs_.data(), output_gradients_.data(),
                    input_gradients_.data());
}

std::string refusal_of(Call const& call) {
  if (library_of(*call.op) == nullptr) return {};
  auto const opened = ExternalLayer::open(call);
  return opened ? std::string() : opened.problem().message;
}

}  // namespace lbann::kernels
