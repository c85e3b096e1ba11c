#include "apps/bc/rmat.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "apps/bc/parallel.hpp"
#include "belay/core/rng.hpp"

namespace apps {

namespace {

// Whole numbers in place of probabilities, so that every compiler makes the same graphs. Their
// sum stays below 2^28 * 1.05^30 < 2^32, and need not be made 1 again.
constexpr double kOne = 1U << 28U;
constexpr std::array kQuarters{
    static_cast<std::uint32_t>(0.55 * kOne), static_cast<std::uint32_t>(0.1 * kOne),
    static_cast<std::uint32_t>(0.1 * kOne), static_cast<std::uint32_t>(0.25 * kOne)};

constexpr std::uint64_t kBlock = 1U << 14U;  // edges that share a stream of random numbers

// A factor from 0.95 to 1.05, from 16 random bits.
std::uint32_t vary(std::uint32_t weight, std::uint64_t bits) {
  constexpr std::uint64_t kLeast = 95 * 65536 / 100;
  const std::uint64_t factor = kLeast + ((bits & 0xFFFFU) * 6554U >> 16U);
  return static_cast<std::uint32_t>(weight * factor >> 16U);
}

Edge draw_edge(std::uint64_t scale, belay::Rng& rng) {
  auto [a, b, c, d] = kQuarters;
  Edge edge{0, 0};
  for (std::uint64_t level = 0; level < scale; ++level) {
    if (level > 0) {
      const std::uint64_t bits = rng.next();
      a = vary(a, bits);
      b = vary(b, bits >> 16U);
      c = vary(c, bits >> 32U);
      d = vary(d, bits >> 48U);
    }
    const std::uint32_t point = rng.below(a + b + c + d);
    const bool lower = point >= a + b;
    // Without branches, which chance would make mispredicted.
    const bool right = ((point >= a) != lower) != (point >= a + b + c);
    edge.from = edge.from * 2 + static_cast<Vertex>(lower);
    edge.to = edge.to * 2 + static_cast<Vertex>(right);
  }
  return edge;
}

// By sorting random keys.
std::vector<Vertex> random_permutation(std::uint64_t size, std::uint64_t seed) {
  using Card = std::pair<std::uint64_t, Vertex>;  // ties are no matter of chance
  std::vector<Card> cards(size);
  for_each_index(size, [&](std::uint64_t v) {
    cards[v] = {belay::Rng(seed, v).next(), static_cast<Vertex>(v)};
  });
  parallel_sort(cards);
  std::vector<Vertex> permutation(size);
  for_each_index(size, [&](std::uint64_t i) { permutation[i] = cards[i].second; });
  return permutation;
}

void require_range(const char* name, std::uint64_t value, std::uint64_t most) {
  if (value <= most) return;
  throw std::invalid_argument(std::string(name) + " = " + std::to_string(value) +
                              ", allowed: 0 to " + std::to_string(most));
}

}  // namespace

Graph make_rmat(const RmatParameters& parameters, GraphOptions options) {
  constexpr std::uint64_t kMostEdgesPerVertex = 1U << 20U;
  require_range("scale", parameters.scale, 31);
  require_range("edge factor", parameters.edge_factor, kMostEdgesPerVertex);
  const std::uint64_t vertices = std::uint64_t{1} << parameters.scale;
  const std::uint64_t drawn = parameters.edge_factor * vertices;

  belay::Rng seeds(parameters.seed);
  const std::uint64_t seed = seeds.next();
  const std::vector<Vertex> permutation = random_permutation(vertices, seeds.next());
  EdgeList edges((drawn + kBlock - 1) / kBlock);
  for_each_index(edges.size(), [&](std::size_t block) {
    belay::Rng rng(seed, block);
    edges[block].resize(std::min(kBlock, drawn - block * kBlock));
    for (Edge& edge : edges[block]) {
      const Edge plain = draw_edge(parameters.scale, rng);
      edge = {permutation[plain.from], permutation[plain.to]};
    }
  });
  return {vertices, std::move(edges), options};
}

}  // namespace apps
