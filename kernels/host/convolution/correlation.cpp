// Lays out a sample, multiplies it by packed kernels in register tiles, finishes it while hot.
#include "kernels/host/convolution/correlation.hpp"

#include "kernels/host/products/packing.hpp"
#include "kernels/shapes/division.hpp"
#include "kernels/tasks.hpp"

namespace lbann::kernels::host {

namespace {

/// Elements that a second-level cache holds.
constexpr std::int64_t cached_elements = 1 << 18;
/// Rows of the source multiplied at a time where there are many: those of a tile stay in the
/// first-level cache, the kernels of all tiles in the second.
constexpr std::int64_t block_depth = 192;

}  // namespace

template <class T>
Correlation<T>::Correlation(WindowGeometry const& g, bool gradient)
    : geometry_(g), kernel_(g, gradient) {
  source_entries_ = gradient ? g.positions() : g.entries();
  result_entries_ = gradient ? g.entries() : g.positions();
  for (auto& pass : correlation_passes(g, gradient)) {
    auto const& [planes, rows, columns] = pass.axes;
    CorrelationSource source(kernel_.depth, planes, rows, columns);
    passes_.push_back({std::move(pass), std::move(source)});
  }
  for (auto const& [pass, source] : passes_) {
    laid_out_ = std::max(laid_out_, round_up(source.elements(), 16));
    packed_ += kernel_.packed_elements(pass);
    if (passes_.size() > 1) apart_ = std::max(apart_, kernel_.rows * pass.positions());
  }
  // A copy is worth its time where it stays in the second-level cache. The last samples are laid
  // out nonetheless: registers read past their end.
  auto const sample = g.groups * kernel_.depth * source_entries_;
  if (passes_.size() == 1 && passes_[0].source.as_it_is() && laid_out_ > cached_elements)
    as_it_is_ = g.samples - (CorrelationSource::slack + sample - 1) / sample;
  packed_ = round_up(packed_, 16);
  apart_ = round_up(apart_, 16);
  slot_ = laid_out_ + apart_;
}

template <class T>
std::int64_t Correlation<T>::scratch_elements(bool separate) const {
  auto const tile = separate ? round_up(geometry_.groups * kernel_.rows * result_entries_, 16) : 0;
  return packed_ + std::min(ThreadTeam::size(), geometry_.samples) * (slot_ + tile);
}

template <class T>
void Correlation<T>::run_pass(CorrelationSource const& source, T const* seen, T const* packed,
                              T* result, std::int64_t leading) const {
  auto const& offsets = source.offsets();
  auto const rows = kernel_.rows, height = kernel_.height;
  auto const depth = static_cast<std::int64_t>(offsets.size());
  auto const positions = source.positions();
  // Tiles of equal width, so that none is a narrow rest.
  auto const tiles = (positions + tile_columns<T> - 1) / tile_columns<T>;
  auto const width = round_up((positions + tiles - 1) / tiles, lanes<T>);
  auto const block = depth > 2 * block_depth ? block_depth : std::max<std::int64_t>(depth, 1);
  for (std::int64_t plane = 0; plane < source.planes(); ++plane)
    for (std::int64_t k = 0; k < std::max<std::int64_t>(depth, 1); k += block)
      for (std::int64_t p = 0; p < positions; p += width)
        for (std::int64_t row = 0; row < rows; row += height) {
          T const* const left = packed + row * depth + k * height;
          T const* const from = seen + plane * source.plane_step() + p;
          TileTarget<T> const to{result + row * leading + plane * positions + p, leading,
                                 static_cast<int>(std::min(height, rows - row)),
                                 static_cast<int>(std::min(width, positions - p)), k != 0};
          run_microkernel<T>(height, left, from, ListedRows{offsets.data() + k},
                             std::min(block, depth - k), to);
        }
}

template <class T>
void Correlation<T>::run(T const* source, T const* kernel, T* result, T* scratch,
                         MapEngine const* epilogue) const {
  auto const groups = geometry_.groups, rows = kernel_.rows, depth = kernel_.depth;
  auto const channels = groups * rows;
  if (geometry_.samples == 0 || channels == 0 || result_entries_ == 0) return;
  T* packed = scratch;
  for (auto const& [pass, laid_out] : passes_) {
    kernel_.pack(pass, kernel, packed);
    packed += kernel_.packed_elements(pass);
  }
  auto const tile = result == nullptr ? round_up(channels * result_entries_, 16) : 0;
  T* const slots = scratch + packed_;
  for_each_task(geometry_.samples, [&](std::int64_t n, std::int64_t worker) {
    T* const laid_out = slots + worker * (slot_ + tile);
    T* const apart = laid_out + laid_out_;
    T* const sample =
        result != nullptr ? result + n * channels * result_entries_ : laid_out + slot_;
    for (std::int64_t group = 0; group < groups; ++group) {
      T const* left = scratch;
      T* const to = sample + group * rows * result_entries_;
      for (auto const& [pass, layout] : passes_) {
        T const* seen = source + (n * groups + group) * depth * source_entries_;
        if (n >= as_it_is_) {
          layout.lay_out(seen, laid_out);
          seen = laid_out;
        }
        T const* const mine = left + group * (kernel_.packed_elements(pass) / groups);
        left += kernel_.packed_elements(pass);
        if (passes_.size() == 1) {
          run_pass(layout, seen, mine, to, result_entries_);
          continue;
        }
        auto const& count = pass.count;
        run_pass(layout, seen, mine, apart, pass.positions());
        T const* from = apart;
        auto const &y = geometry_.axes[1], &x = geometry_.axes[2];
        for (std::int64_t row = 0; row < rows; ++row)
          for (std::int64_t a = 0; a < count[0]; ++a)
            for (std::int64_t b = 0; b < count[1]; ++b) {
              T* const line =
                  to + row * result_entries_ +
                  ((pass.begin[0] + a * pass.step[0]) * y.from + pass.begin[1] + b * pass.step[1]) *
                      x.from +
                  pass.begin[2];
              for (std::int64_t c = 0; c < count[2]; ++c) line[c * pass.step[2]] = *from++;
            }
      }
    }
    if (epilogue != nullptr)
      epilogue->run(n * channels * result_entries_, (n + 1) * channels * result_entries_, sample);
  });
}

template class Correlation<float>;
template class Correlation<double>;

}  // namespace lbann::kernels::host
