// Pieces packed, sent, received and put in their places.
#include "runtime/execution/exchange_transfer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/communication/waiting.hpp"
#include "runtime/execution/box_rows.hpp"

namespace lbann::runtime {

namespace {

template <class T>
void add(std::byte* to, std::byte const* from, std::int64_t bytes) {
  auto* const sum = reinterpret_cast<T*>(to);
  auto const* const part = reinterpret_cast<T const*>(from);
  for (std::int64_t i = 0; i < bytes / static_cast<std::int64_t>(sizeof(T)); ++i) sum[i] += part[i];
}

class ExchangeTransfer final : public Transfer {
 public:
  ExchangeTransfer(Communicator& trainer, Exchange exchange, kernels::View const& input,
                   kernels::View const& output, std::span<std::byte> scratch)
      : exchange_(std::move(exchange)),
        input_(input.as<std::byte>()),
        output_(output.as<std::byte>()),
        type_(output.type),
        element_(static_cast<std::int64_t>(bytes_of(output.type))),
        scratch_(scratch.data()),
        rank_(trainer.rank()),
        messages_(trainer.messages(
            static_cast<std::int64_t>(exchange_.sends.size() + exchange_.receives.size()))) {
    std::vector<Box> sent;
    for (auto const& piece : exchange_.sends)
      if (piece.peer == rank_) sent.push_back(piece.box);
    for (auto const& piece : exchange_.receives)
      if (piece.peer == rank_) own_.emplace_back(sent[own_.size()], piece.box);
  }

  void post() override {
    auto* room = scratch_;
    for (auto const& piece : exchange_.receives) {
      if (piece.peer == rank_) continue;
      BoxRows const rows(piece.box, exchange_.to, element_);
      auto const bytes = piece.elements * element_;
      bool const in_place = lies_in_place(rows);
      messages_->receive(
          piece.peer, {in_place ? output_ + rows.begin(0) : room, static_cast<std::size_t>(bytes)});
      if (!in_place) room += bytes;
    }
    for (auto const& piece : exchange_.sends) {
      if (piece.peer == rank_) continue;
      BoxRows const rows(piece.box, exchange_.from, element_);
      auto const bytes = piece.elements * element_;
      auto const* from = input_ + rows.begin(0);
      if (rows.count() > 1) {
        for (std::int64_t row = 0; row < rows.count(); ++row)
          std::memcpy(room + row * rows.length(), input_ + rows.begin(row),
                      static_cast<std::size_t>(rows.length()));
        from = room;
        room += bytes;
      }
      messages_->send(piece.peer, {from, static_cast<std::size_t>(bytes)});
    }
    if (!exchange_.adds)
      for (auto const& [from, to] : own_) take_own(from, to);
    posted_ = true;
  }

  bool arrived() override { return messages_->arrived(); }

  void await() override {
    wait_until([&] { return messages_->arrived(); });
    if (!std::exchange(posted_, false)) return;
    if (exchange_.adds)
      for (auto const& range : exchange_.written)
        if (range.size > 0)
          std::memset(output_ + range.begin * element_, 0,
                      static_cast<std::size_t>(range.size * element_));
    auto const* room = scratch_;
    auto own = own_.begin();
    for (auto const& piece : exchange_.receives) {
      if (piece.peer == rank_) {
        if (exchange_.adds) take_own(own->first, own->second);
        ++own;
        continue;
      }
      BoxRows const rows(piece.box, exchange_.to, element_);
      if (lies_in_place(rows)) continue;
      for (std::int64_t row = 0; row < rows.count(); ++row)
        put(output_ + rows.begin(row), room + row * rows.length(), rows.length());
      room += piece.elements * element_;
    }
  }

 private:
  /// Whether a piece is received where it belongs.
  bool lies_in_place(BoxRows const& rows) const { return !exchange_.adds && rows.count() == 1; }

  /// What this rank keeps, from its place in the input to that in the output.
  void take_own(Box const& from, Box const& to) const {
    auto const inner = std::max(first_inner(to, exchange_.to), first_inner(from, exchange_.from));
    BoxRows const target(to, exchange_.to, element_, inner),
        source(from, exchange_.from, element_, inner);
    for (std::int64_t row = 0; row < target.count(); ++row)
      put(output_ + target.begin(row), input_ + source.begin(row), target.length());
  }

  void put(std::byte* to, std::byte const* from, std::int64_t bytes) const {
    if (!exchange_.adds)
      std::memcpy(to, from, static_cast<std::size_t>(bytes));
    else if (type_ == DataType::f64)
      add<double>(to, from, bytes);
    else
      add<float>(to, from, bytes);
  }

  Exchange exchange_;
  std::byte const* input_;
  std::byte* output_;
  DataType type_;
  std::int64_t element_;
  std::byte* scratch_;
  std::int64_t rank_;
  std::unique_ptr<Messages> messages_;
  /// What this rank keeps: places in the input and in the output.
  std::vector<std::pair<Box, Box>> own_;
  bool posted_ = false;
};

}  // namespace

std::unique_ptr<Transfer> exchange_transfer(Communicator& trainer, Exchange exchange,
                                            kernels::View const& input, kernels::View const& output,
                                            std::span<std::byte> scratch) {
  return std::make_unique<ExchangeTransfer>(trainer, std::move(exchange), input, output, scratch);
}

}  // namespace lbann::runtime
