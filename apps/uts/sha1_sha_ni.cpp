// SHA-1 with the SHA instructions, several siblings at a time.
//
// One block is 20 groups of four rounds. A group's instruction waits four cycles for that of the
// group before, so a single stream leaves the unit idle most of the time; four siblings,
// interleaved, keep it busy. Siblings differ in one word of the message, the sixth, so the first
// group is computed once for all.
//
// Words stay in host order: the state is stored as the compression leaves it, and the message
// schedule wants words, not bytes. The loops over streams and groups must be unrolled (g++ -O2
// does not without being asked), otherwise the streams live in memory and half the speed is
// lost.
#include "apps/uts/sha1_sha_ni.hpp"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

#include <utility>

namespace apps {

namespace {

#define BELAY_SHA_NI __attribute__((target("sha,sse4.1")))
#define BELAY_SHA_NI_INLINE __attribute__((target("sha,sse4.1"), always_inline)) inline

template <int kStreams>
struct Streams {
  __m128i abcd[kStreams];
  __m128i before[kStreams];       // abcd a group ago, of which the next e is made
  __m128i schedule[kStreams][4];  // the last 16 words of the message schedule
};

BELAY_SHA_NI_INLINE __m128i words(std::uint32_t high, std::uint32_t next, std::uint32_t third,
                                  std::uint32_t low) {
  return _mm_set_epi32(static_cast<int>(high), static_cast<int>(next), static_cast<int>(third),
                       static_cast<int>(low));
}

template <int kStreams, int kGroup>
BELAY_SHA_NI_INLINE void four_rounds(Streams<kStreams>& s) {
#pragma GCC unroll 8
  for (int i = 0; i < kStreams; ++i) {
    __m128i* const w = s.schedule[i];
    if constexpr (kGroup >= 4) {
      w[kGroup % 4] =
          _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w[kGroup % 4], w[(kGroup + 1) % 4]),
                                           w[(kGroup + 2) % 4]),
                             w[(kGroup + 3) % 4]);
    }
    const __m128i e = _mm_sha1nexte_epu32(s.before[i], w[kGroup % 4]);
    s.before[i] = s.abcd[i];
    s.abcd[i] = _mm_sha1rnds4_epu32(s.abcd[i], e, kGroup / 5);
  }
}

template <int kStreams, int... kGroups>
BELAY_SHA_NI_INLINE void groups_from_one(Streams<kStreams>& s,
                                         std::integer_sequence<int, kGroups...>) {
  (four_rounds<kStreams, kGroups + 1>(s), ...);
}

template <int kStreams>
BELAY_SHA_NI void hash(const State& parent, std::uint32_t first, State* children) {
  const __m128i abcd = words(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  const __m128i e = words(0xc3d2e1f0, 0, 0, 0);
  const __m128i shared = words(parent[0], parent[1], parent[2], parent[3]);
  const __m128i after_first = _mm_sha1rnds4_epu32(abcd, _mm_add_epi32(e, shared), 0);
  Streams<kStreams> s;
#pragma GCC unroll 8
  for (int i = 0; i < kStreams; ++i) {
    s.abcd[i] = after_first;
    s.before[i] = abcd;
    s.schedule[i][0] = shared;
    s.schedule[i][1] = words(parent[4], first + static_cast<std::uint32_t>(i), 0x80000000, 0);
    s.schedule[i][2] = _mm_setzero_si128();
    s.schedule[i][3] = words(0, 0, 0, 8 * 24);  // the message's length in bits
  }
  groups_from_one(s, std::make_integer_sequence<int, 19>{});
#pragma GCC unroll 8
  for (int i = 0; i < kStreams; ++i) {
    const __m128i digest = _mm_add_epi32(s.abcd[i], abcd);
    const __m128i last = _mm_sha1nexte_epu32(s.before[i], e);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(children[i].data()),
                     _mm_shuffle_epi32(digest, 0x1b));  // words the other way round
    children[i][4] = static_cast<std::uint32_t>(_mm_extract_epi32(last, 3));
  }
}

void hash_all(const State& parent, std::uint32_t first, std::uint32_t count, State* children) {
  for (; count >= 4; first += 4, children += 4, count -= 4) hash<4>(parent, first, children);
  switch (count) {
    case 3:
      return hash<3>(parent, first, children);
    case 2:
      return hash<2>(parent, first, children);
    case 1:
      return hash<1>(parent, first, children);
    default:
      return;
  }
}

bool processor_has_sha() noexcept {
  constexpr unsigned kSha = 1U << 29U;    // leaf 7, EBX
  constexpr unsigned kSse41 = 1U << 19U;  // leaf 1, ECX
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (b & kSha) == 0) return false;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & kSse41) != 0;
}

}  // namespace

HashChildren hash_children_sha_ni() noexcept {
  static const HashChildren kernel = processor_has_sha() ? hash_all : nullptr;
  return kernel;
}

}  // namespace apps

#else

namespace apps {

HashChildren hash_children_sha_ni() noexcept { return nullptr; }

}  // namespace apps

#endif
