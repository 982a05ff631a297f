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

/// The axis with all taps of a convolution.
SourceAxis forward_axis(WindowAxis const& axis) {
  SourceAxis source{axis.from, axis.to, axis.stride, {}};
  for (std::int64_t t = 0; t < axis.taps; ++t)
    source.shifts.push_back(t * axis.dilation - axis.padding);
  return source;
}

/// Entries begin, begin + stride, ... of an input see position p of the output through tap t where
/// p * stride + t * dilation - padding is theirs.
struct BackwardAxis {
  SourceAxis source;
  std::vector<std::int64_t> taps;
};

BackwardAxis backward_axis(WindowAxis const& axis, std::int64_t begin) {
  BackwardAxis back{{axis.to, (axis.from - begin + axis.stride - 1) / axis.stride, 1, {}}, {}};
  for (std::int64_t t = 0; t < axis.taps; ++t) {
    auto const distance = begin + axis.padding - t * axis.dilation;
    if (distance % axis.stride != 0) continue;
    back.source.shifts.push_back(distance / axis.stride);
    back.taps.push_back(t);
  }
  return back;
}

}  // namespace

template <class T>
Correlation<T>::Correlation(WindowGeometry const& g, bool gradient)
    : geometry_(g), gradient_(gradient), groups_(g.groups) {
  rows_ = gradient ? g.depth() : g.group_filters();
  depth_ = gradient ? g.group_filters() : g.depth();
  source_entries_ = gradient ? g.positions() : g.entries();
  result_entries_ = gradient ? g.entries() : g.positions();
  height_ = tile_height_for(rows_);
  if (!gradient) {
    CorrelationPass pass{
        {depth_, forward_axis(g.axes[0]), forward_axis(g.axes[1]), forward_axis(g.axes[2])}, {}};
    for (std::int64_t t = 0; t < g.taps(); ++t) pass.taps.push_back(t);
    for (int i = 0; i < 3; ++i) pass.count[i] = g.axes[i].to;
    passes_.push_back(std::move(pass));
  } else {
    auto begins = [&](int i) { return std::min(g.axes[i].stride, g.axes[i].from); };
    for (std::int64_t z = 0; z < begins(0); ++z)
      for (std::int64_t y = 0; y < begins(1); ++y)
        for (std::int64_t x = 0; x < begins(2); ++x) {
          BackwardAxis const axes[3] = {backward_axis(g.axes[0], z), backward_axis(g.axes[1], y),
                                        backward_axis(g.axes[2], x)};
          CorrelationPass pass{{depth_, axes[0].source, axes[1].source, axes[2].source}, {}};
          for (auto a : axes[0].taps)
            for (auto b : axes[1].taps)
              for (auto c : axes[2].taps)
                pass.taps.push_back((a * g.axes[1].taps + b) * g.axes[2].taps + c);
          std::int64_t const begin[3] = {z, y, x};
          for (int i = 0; i < 3; ++i) {
            pass.begin[i] = begin[i];
            pass.step[i] = g.axes[i].stride;
            pass.count[i] = axes[i].source.to;
          }
          passes_.push_back(std::move(pass));
        }
  }
  for (auto const& pass : passes_) {
    laid_out_ = std::max(laid_out_, round_up(pass.source.elements(), 16));
    packed_ += packed_elements(pass);
    if (passes_.size() > 1)
      apart_ = std::max(apart_, rows_ * pass.count[0] * pass.count[1] * pass.count[2]);
  }
  // A copy is worth its time where it stays in the second-level cache. The last samples are laid
  // out nonetheless: registers read past their end.
  auto const sample = groups_ * depth_ * source_entries_;
  if (passes_.size() == 1 && passes_[0].source.as_it_is() && laid_out_ > cached_elements)
    as_it_is_ = g.samples - (CorrelationSource::slack + sample - 1) / sample;
  packed_ = round_up(packed_, 16);
  apart_ = round_up(apart_, 16);
  slot_ = laid_out_ + apart_;
}

template <class T>
std::int64_t Correlation<T>::packed_elements(CorrelationPass const& pass) const {
  return groups_ * round_up(rows_, height_) * depth_ * static_cast<std::int64_t>(pass.taps.size());
}

template <class T>
std::int64_t Correlation<T>::scratch_elements(bool separate) const {
  auto const tile = separate ? round_up(groups_ * rows_ * result_entries_, 16) : 0;
  return packed_ + std::min(ThreadTeam::size(), geometry_.samples) * (slot_ + tile);
}

template <class T>
void Correlation<T>::pack_kernel(CorrelationPass const& pass, T const* kernel, T* packed) const {
  auto const taps = geometry_.taps();
  auto const blocks = (rows_ + height_ - 1) / height_;
  auto const used = static_cast<std::int64_t>(pass.taps.size());
  auto pack = [&](std::int64_t task, std::int64_t) {
    auto const group = task / blocks, row = task % blocks * height_;
    T* to = packed + task * height_ * depth_ * used;
    // What a tile takes lies in runs along its rows, or across them.
    if (height_ == tile_rows && row + height_ <= rows_ && used == taps &&
        (!gradient_ || taps == 1)) {
      auto const from =
          gradient_
              ? StridedMatrix<T>{kernel + group * depth_ * rows_ + row, 1, rows_}
              : StridedMatrix<T>{kernel + (group * rows_ + row) * depth_ * taps, depth_ * taps, 1};
      return pack_left<T, tile_rows>(from, 0, height_, 0, depth_ * taps, to);
    }
    for (std::int64_t d = 0; d < depth_; ++d)
      for (auto const tap : pass.taps)
        for (std::int64_t r = row; r < row + height_; ++r) {
          auto const index =
              gradient_ ? (group * depth_ + d) * rows_ + r : (group * rows_ + r) * depth_ + d;
          *to++ = r < rows_ ? kernel[index * taps + tap] : T(0);
        }
  };
  if (packed_ < 32768)
    for (std::int64_t task = 0; task < groups_ * blocks; ++task) pack(task, 0);
  else
    for_each_task(groups_ * blocks, pack);
}

template <class T>
void Correlation<T>::run_pass(CorrelationPass const& pass, T const* seen, T const* packed,
                              T* result, std::int64_t leading) const {
  auto const& offsets = pass.source.offsets();
  auto const depth = static_cast<std::int64_t>(offsets.size());
  auto const positions = pass.source.positions();
  // Tiles of equal width, so that none is a narrow rest.
  auto const tiles = (positions + tile_columns<T> - 1) / tile_columns<T>;
  auto const width = round_up((positions + tiles - 1) / tiles, lanes<T>);
  auto const block = depth > 2 * block_depth ? block_depth : std::max<std::int64_t>(depth, 1);
  for (std::int64_t plane = 0; plane < pass.source.planes(); ++plane)
    for (std::int64_t k = 0; k < std::max<std::int64_t>(depth, 1); k += block)
      for (std::int64_t p = 0; p < positions; p += width)
        for (std::int64_t row = 0; row < rows_; row += height_) {
          T const* const left = packed + row * depth + k * height_;
          T const* const from = seen + plane * pass.source.plane_step() + p;
          TileTarget<T> const to{result + row * leading + plane * positions + p, leading,
                                 static_cast<int>(std::min(height_, rows_ - row)),
                                 static_cast<int>(std::min(width, positions - p)), k != 0};
          run_microkernel<T>(height_, left, from, ListedRows{offsets.data() + k},
                             std::min(block, depth - k), to);
        }
}

template <class T>
void Correlation<T>::run(T const* source, T const* kernel, T* result, T* scratch,
                         MapEngine const* epilogue) const {
  auto const channels = groups_ * rows_;
  if (geometry_.samples == 0 || channels == 0 || result_entries_ == 0) return;
  T* packed = scratch;
  for (auto const& pass : passes_) {
    pack_kernel(pass, kernel, packed);
    packed += packed_elements(pass);
  }
  auto const tile = result == nullptr ? round_up(channels * result_entries_, 16) : 0;
  T* const slots = scratch + packed_;
  for_each_task(geometry_.samples, [&](std::int64_t n, std::int64_t worker) {
    T* const laid_out = slots + worker * (slot_ + tile);
    T* const apart = laid_out + laid_out_;
    T* const sample =
        result != nullptr ? result + n * channels * result_entries_ : laid_out + slot_;
    for (std::int64_t group = 0; group < groups_; ++group) {
      T const* left = scratch;
      T* const to = sample + group * rows_ * result_entries_;
      for (auto const& pass : passes_) {
        T const* seen = source + (n * groups_ + group) * depth_ * source_entries_;
        if (n >= as_it_is_) {
          pass.source.lay_out(seen, laid_out);
          seen = laid_out;
        }
        T const* const mine = left + group * (packed_elements(pass) / groups_);
        left += packed_elements(pass);
        if (passes_.size() == 1) {
          run_pass(pass, seen, mine, to, result_entries_);
          continue;
        }
        auto const& count = pass.count;
        auto const all = count[0] * count[1] * count[2];
        run_pass(pass, seen, mine, apart, all);
        T const* from = apart;
        auto const &y = geometry_.axes[1], &x = geometry_.axes[2];
        for (std::int64_t row = 0; row < rows_; ++row)
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
