// Binary messages as text: every kind of field, places as paths, and bytes that are wrong.
#include "compiler/importer/decode_messages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "compiler/compile.hpp"
#include "compiler/diagnostics/render.hpp"
#include "schemas/plan/location.hpp"

using namespace lbann;
using namespace lbann::compiler;

namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7f));
  return bytes += static_cast<char>(value);
}

std::string tag(unsigned number, unsigned wire) { return varint(number << 3 | wire); }

/// Fields by their numbers.
std::string whole(unsigned number, std::uint64_t value) { return tag(number, 0) + varint(value); }

std::string delimited(unsigned number, std::string const& bytes) {
  return tag(number, 2) + varint(bytes.size()) + bytes;
}

template <class Number>
std::string raw(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string real(unsigned number, double value) { return tag(number, 1) + raw(value); }

std::string any(std::string const& name, std::string const& message) {
  return delimited(1, "type.googleapis.com/lbann_data." + name) + delimited(2, message);
}

std::string layer(std::string const& name, std::string const& rest) {
  return delimited(10, delimited(1, name) + rest);
}

/// An experiment of six layers, two with weights, one an operator.
std::string experiment() {
  auto const reader = delimited(1, "synthetic") + delimited(3, "train") + whole(4, 1) +
                      real(12, 1.0) + whole(100, 8) + delimited(101, "2 3");
  auto const model =
      whole(4, 2) + layer("x", delimited(20, delimited(1, "samples"))) +
      layer("f", delimited(2, "x") + delimited(4, "w") + delimited(100, whole(1, 4))) +
      layer("s", delimited(2, "f") +
                     delimited(21, delimited(1, whole(1, 1) + delimited(4, any("ScaleOperator",
                                                                               real(1, 0.1)))))) +
      layer("v", delimited(4, "v") + delimited(72, delimited(1, varint(2) + varint(2)))) +
      layer("m", delimited(2, "x") +
                     delimited(51, delimited(1, "max") + whole(2, 1) + whole(7, 2) + whole(9, 2)) +
                     delimited(10, "")) +
      delimited(11, delimited(1, "w") + delimited(3, delimited(26 + 1, ""))) +
      delimited(11, delimited(1, "v") + delimited(2, delimited(1, "")) +
                        delimited(3, delimited(21, delimited(1, raw(0.1f) + raw(-1e9f) + raw(2.f) +
                                                                    raw(3.f)))));
  return delimited(1, delimited(2, reader)) + delimited(2, model) +
         delimited(3, delimited(6, real(1, 0.01))) + delimited(6, whole(12, 4));
}

constexpr std::string_view experiment_text = R"(data_reader {
  reader {
    name: "synthetic"
    role: "train"
    shuffle: true
    fraction_of_data_to_use: 1
    num_samples: 8
    synth_dimensions: "2 3"
  }
}
model {
  num_epochs: 2
  layer {
    name: "x"
    input {
      data_field: "samples"
    }
  }
  layer {
    name: "f"
    parents: "x"
    weights: "w"
    fully_connected {
      num_neurons: 4
    }
  }
  layer {
    name: "s"
    parents: "f"
    operator_layer {
      ops {
        input_datatype: FLOAT
        parameters {
          [type.googleapis.com/lbann_data.ScaleOperator] {
            constant: 0.1
          }
        }
      }
    }
  }
  layer {
    name: "v"
    weights: "v"
    weights_layer {
      dims: [2, 2]
    }
  }
  layer {
    name: "m"
    parents: "x"
    pooling {
      pool_mode: "max"
      num_dims: 1
      pool_dims_i: 2
      pool_strides_i: 2
    }
    hint_layer: ""
  }
  weights {
    name: "w"
    initializer {
      he_normal_initializer {
      }
    }
  }
  weights {
    name: "v"
    optimizer {
      no_optimizer {
      }
    }
    initializer {
      value_initializer {
        values: [0.1, -1e+09, 2, 3]
      }
    }
  }
}
optimizer {
  sgd {
    learn_rate: 0.01
  }
}
trainer {
  mini_batch_size: 4
}
)";

struct Decoded {
  Source source;
  Report report;
  bool good;

  explicit Decoded(std::string bytes) : source{"a.protobin", std::move(bytes)} {
    good = decode_messages(source, 0, report);
  }
  std::string text() const { return source.text.substr(decoded_messages.size()); }
  /// `place: words` of the only diagnostic.
  std::string only() const {
    if (good || report.diagnostics().size() != 1) return "not one";
    auto const& found = report.diagnostics().front();
    return place_text(found.span, {source}) + ": " + found.message;
  }
};

Compiled compiled(std::string bytes) {
  static Declarations const declarations;
  CompileOptions options;
  options.name = "a.protobin";
  options.text = std::move(bytes);
  return compile(options, declarations);
}

}  // namespace

TEST_CASE("decode_messages writes every kind of field as text") {
  Decoded const r(experiment());
  REQUIRE(r.good);
  CHECK(r.text() == experiment_text);
}

TEST_CASE("decode_messages writes numbers and texts that text can hold") {
  auto const field = [](std::string const& bytes) {
    Decoded const r(delimited(6, bytes));
    return r.good ? r.text().substr(12, r.text().size() - 15) : r.only();
  };
  CHECK(field(delimited(1, "a\"b\\c\n\x01\x7f\xc3\xa9")) ==
        "name: \"a\\\"b\\\\c\\012\\001\\177\xc3\xa9\"");
  CHECK(field(whole(30, static_cast<std::uint64_t>(-3))) == "random_seed: -3");
  CHECK(field(whole(4, 7)) == "random_init_trainers_identically: true");
  CHECK(field(delimited(200, whole(1, 2))) == "data_coordinator {\n    datatype: DOUBLE\n  }");
  CHECK(field(delimited(200, whole(1, 9))) == "data_coordinator {\n    datatype: 9\n  }");
  CHECK(field(delimited(300, delimited(2, any("SGD", delimited(1, tag(3, 1) + raw(1e300)))))) ==
        "training_algorithm {\n    parameters {\n      [type.googleapis.com/lbann_data.SGD] {\n    "
        "    "
        "stopping_criteria {\n          max_seconds: 1e+300\n        }\n      }\n    }\n  }");
  // A list may be packed or not.
  auto const dims = [&](std::string const& bytes) {
    return Decoded(delimited(2, layer("r", delimited(50, bytes)))).text();
  };
  CHECK(dims(whole(1, 2) + whole(1, 300)).find("dims: 2\n      dims: 300\n") != std::string::npos);
  CHECK(dims(delimited(1, varint(2) + varint(300))).find("dims: [2, 300]\n") != std::string::npos);
}

TEST_CASE("places in binary messages are paths") {
  auto const bytes = experiment();
  auto const wrong = [&](std::string const& layers) {
    auto const done = compiled(bytes + delimited(2, layers));
    std::string text;
    for (auto const* found : done.report.sorted())
      text += place_text(found->span, done.sources) + " " + std::string(found->info->code) + "\n";
    return text;
  };
  CHECK(wrong("") == "a.protobin: model[0] no-objective\n");
  CHECK(wrong(layer("y", delimited(2, "x") + delimited(51, delimited(1, "least") + whole(2, 1) +
                                                               whole(7, 2) + whole(9, 2)))) ==
        "a.protobin: model[1].layer.pooling.pool_mode not-a-choice\n");
  CHECK(wrong(layer("y", delimited(2, "x") + delimited(184, "")) +
              layer("z", delimited(2, "nobody") + delimited(184, ""))) ==
        "a.protobin: model[1].layer[1].parents unknown-layer\n");
}

TEST_CASE("bytes that are no experiment are told by byte and path") {
  CHECK(Decoded(std::string("\x07", 1)).only() ==
        "a.protobin: byte 0 of the binary message is wrong: no field has this number");
  CHECK(Decoded(tag(2, 3)).only().find("is not encoded as `Model`") != std::string::npos);
  CHECK(Decoded(delimited(2, layer("y", whole(999, 1)))).only() ==
        "a.protobin: model.layer.name: `Layer` has no field of number 999");
  CHECK(Decoded(delimited(2, layer("y", delimited(6, "")))).only() ==
        "a.protobin: model.layer.name: byte 7 of the binary message is wrong: `datatype` of "
        "`Layer` is "
        "not encoded as `DataType`");
  CHECK(Decoded(delimited(6, tag(12, 0) + std::string(11, '\xff'))).only() ==
        "a.protobin: trainer.mini_batch_size: byte 3 of the binary message is wrong: a number has "
        "more "
        "than ten bytes");
  CHECK(Decoded(delimited(300, "")).only().find("`LbannPB` has no field of number 300") !=
        std::string::npos);
  CHECK(Decoded(delimited(6, delimited(300, delimited(2, any("Nothing", ""))))).only() ==
        "a.protobin: trainer.training_algorithm.parameters: byte 7 of the binary message is wrong: "
        "LBANN "
        "has no message \"Nothing\"");
  CHECK(Decoded("trainer { mini_batch_size: 2 }").only().starts_with("a.protobin: byte 0"));
  std::string deep;
  for (int i = 0; i < 120; ++i) deep = delimited(1, delimited(2, any("LTFB", deep)));
  auto const nested = Decoded(delimited(6, delimited(300, delimited(2, any("LTFB", deep))))).only();
  CHECK(nested.find("nested more than 100 levels deep") != std::string::npos);
}

TEST_CASE("a binary message that is cut anywhere ends in one error or in a smaller experiment") {
  auto const bytes = experiment();
  std::size_t refused = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Decoded const r(bytes.substr(0, length));
    refused += r.good ? 0 : 1;
    CHECK(r.report.diagnostics().size() == (r.good ? 0 : 1));
    CHECK_NOTHROW(compiled(bytes.substr(0, length)));
  }
  CHECK(refused >= bytes.size() - 5);  // whole sections are experiments, too
}

TEST_CASE("bytes changed at random end in messages") {
  auto const good = experiment();
  std::mt19937 random(11);
  std::size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    auto bytes = good;
    for (unsigned change = 0; change <= random() % 3; ++change) {
      auto const at = random() % bytes.size();
      if (random() % 4 == 0)
        bytes.erase(at, 1 + random() % 5);
      else
        bytes[at] = static_cast<char>(random() % 256);
    }
    auto const done = compiled(std::move(bytes));
    refused += done.report.has_errors() ? 1 : 0;
    CHECK_FALSE(done.internal_error);
    for (auto const& found : findings(done.report, done.sources))
      CHECK(render(found, done.sources, false).size() < 20000);
  }
  CHECK(refused > 2000);
}
