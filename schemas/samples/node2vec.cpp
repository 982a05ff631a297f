// A graph read when it is loaded, walks made when they are asked for.
#include <algorithm>
#include <optional>

#include "schemas/data_formats/text_lines.hpp"
#include "schemas/samples/data_file.hpp"
#include "schemas/samples/list.hpp"
#include "schemas/samples/walk_graph.hpp"

namespace lbann {

namespace {

constexpr std::size_t longest_edge = 1 << 16;  // bytes of a line

Result<std::vector<GraphEdge>> read_edges(DataFile const& file) {
  std::vector<GraphEdge> edges;
  Result<Success> done = Success{};
  std::int64_t number = 0;
  auto const take = [&](std::string_view line, std::size_t) {
    ++number;
    auto const first = line.find_first_not_of(" \t");
    if (first == line.npos || line[first] == '#' || line[first] == '%') return true;
    auto const edge = parse_edge(line);
    if (edge)
      edges.push_back(edge.value());
    else
      done = Problem{"`" + file.name() + "`:" + std::to_string(number) +
                     ":1: " + edge.problem().message};
    return done.good();
  };
  TextLines lines;
  auto read = file.each_piece([&](std::string_view piece) {
    if (lines.take(piece, take) && lines.unfinished() > longest_edge)
      done = file.problem("a line is too long; is this a text of edges?");
    return done.good();
  });
  if (!read) return read.problem();
  if (done) lines.end(take);
  if (!done) return done.problem();
  if (edges.empty()) return file.problem("it holds no edge");
  return edges;
}

class WalkSamples final : public Samples {
 public:
  WalkSamples(data_readers::node2vec const& reader, DataFile file, std::int64_t seed)
      : reader_(reader),
        file_(std::move(file)),
        fields_(reader.gives()),
        key_(random_key(seed, random_name("node2vec/" + reader_role(reader.role)))) {}

  std::int64_t count() const override { return reader_.epoch_size; }
  bool is_drawn() const override { return true; }
  std::vector<GivenField> const& fields() const override { return fields_; }

  Result<Success> load(bool) override {
    auto edges = read_edges(file_);
    if (!edges) return edges.problem();
    auto graph = WalkGraph::make(std::move(edges).value(), reader_.directed);
    if (!graph) return file_.problem(graph.problem().message);
    graph_ = std::move(graph).value();
    if (reader_.num_negative_samples > 0) noise_.emplace(count_visits());
    return Success{};
  }

  Result<Success> read(std::int64_t index, std::size_t, FieldValues const& values) const override {
    thread_local std::vector<std::int64_t> walk, drawn, taken;
    walk.resize(static_cast<std::size_t>(reader_.walk_length));
    drawn.resize(static_cast<std::size_t>(reader_.num_negative_samples));
    SampleDraws draws(key_, index);
    graph_->walk(draws, reader_.return_param, reader_.inout_param, walk);
    if (noise_) {
      taken.reserve(walk.size() + drawn.size());
      taken.assign(walk.begin(), walk.end());
      std::ranges::sort(taken);
      taken.erase(std::ranges::unique(taken).begin(), taken.end());
      noise_->draw(draws, taken, drawn);
    }
    std::int64_t place = 0;
    for (auto const* part : {&drawn, &walk})
      for (auto const vertex : *part)
        values.set(place++, static_cast<double>(graph_->label(vertex)));
    return Success{};
  }

 private:
  /// Of every vertex its degree and one more, as LBANN begins, and the visits of the first walks,
  /// until they are as many.
  std::vector<std::int64_t> count_visits() const {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(graph_->vertices()));
    std::int64_t begun = 0, visits = 0;
    for (std::int64_t i = 0; i < graph_->vertices(); ++i)
      begun += counts[static_cast<std::size_t>(i)] = graph_->degree(i) + 1;
    std::vector<std::int64_t> walk(static_cast<std::size_t>(reader_.walk_length));
    for (std::int64_t i = 0; i < reader_.epoch_size && visits < begun; ++i) {
      SampleDraws draws(key_, i);
      graph_->walk(draws, reader_.return_param, reader_.inout_param, walk);
      for (auto const vertex : walk) ++counts[static_cast<std::size_t>(vertex)];
      visits += reader_.walk_length;
    }
    return counts;
  }

  data_readers::node2vec reader_;
  DataFile file_;
  std::vector<GivenField> fields_;
  PhiloxKey key_;
  std::optional<WalkGraph> graph_;
  std::optional<NoiseDistribution> noise_;
};

}  // namespace

std::vector<SampleSource> sources_of(data_readers::node2vec const& reader,
                                     OpenContext const& context) {
  return {source_of_file("graph_file", {}, reader.graph_file, {},
                         [=, seed = context.seed](std::string const& path) -> OpenedSamples {
                           auto file = DataFile::open(path);
                           if (!file) return file.problem();
                           return opened<WalkSamples>(reader, std::move(file).value(), seed);
                         })};
}

}  // namespace lbann
