#include "belay/core/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace belay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

struct Point {
  int x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Named {
  std::string name;
  std::vector<Point> points;
  friend bool operator==(const Named&, const Named&) = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, points);
  }
};

template <class Archive>
void serialize(Archive& archive, Point& point) {
  archive(point.x, point.y);
}

template <class T>
T round_trip(const T& value) {
  Packer packer;
  packer.put(value);
  const auto bytes = packer.take();
  Unpacker unpacker(bytes);
  T copy = unpacker.get<T>();
  EXPECT_EQ(unpacker.left(), 0U);
  return copy;
}

// Says itself how it travels, has no default constructor, and cannot be copied.
class Even {
 public:
  explicit Even(int value) : half_(std::make_unique<int>(value / 2)) {}
  [[nodiscard]] int value() const { return 2 * *half_; }
  void pack(Packer& packer) const { packer.put(static_cast<std::int16_t>(*half_)); }
  static Even unpack(Unpacker& unpacker) { return Even(2 * unpacker.get<std::int16_t>()); }

 private:
  std::unique_ptr<int> half_;
};

TEST(Packing, TypesTravelTheirOwnWayWhereTheyHaveOne) {
  static_assert(Travels<Even> && !std::is_default_constructible_v<Even>);
  Packer packer;
  packer.put(Even(42));
  EXPECT_EQ(packer.size(), sizeof(std::int16_t));
  std::vector<Even> more;
  for (int i = 0; i < 3; ++i) more.emplace_back(2 * i);
  packer.put_all(std::span<const Even>(more));
  const auto bytes = packer.take();
  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.get<Even>().value(), 42);
  const auto back = unpacker.get_all<Even>();
  ASSERT_EQ(back.size(), 3U);
  EXPECT_EQ(back[2].value(), 4);
  EXPECT_EQ(unpacker.left(), 0U);
}

TEST(Packing, VectorsOfTrivialValuesTravelAsTheirBytes) {
  const std::vector<double> values{1, 2.5, -3};
  Packer packer;
  packer.put(values);
  EXPECT_EQ(packer.size(), sizeof(std::uint64_t) + 3 * sizeof(double));
  EXPECT_EQ(round_trip(values), values);
  EXPECT_EQ(round_trip(std::vector<bool>{true, false}), (std::vector<bool>{true, false}));
}

TEST(Packing, TrivialValuesTravelAsTheirBytes) {
  Packer packer;
  packer.put(std::uint32_t{0x01020304});
  EXPECT_EQ(packer.size(), sizeof(std::uint32_t));
  packer.put(Point{1, 2});
  EXPECT_EQ(packer.size(), sizeof(std::uint32_t) + sizeof(Point));
}

TEST(Packing, TrivialValuesComeBack) {
  EXPECT_EQ(round_trip(42), 42);
  EXPECT_EQ(round_trip(-0.5), -0.5);
  EXPECT_EQ(round_trip(true), true);
  EXPECT_EQ(round_trip(Point{3, 4}), (Point{3, 4}));
  EXPECT_EQ(round_trip(std::array<int, 3>{1, 2, 3}), (std::array<int, 3>{1, 2, 3}));
  EXPECT_EQ(round_trip(std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
}

TEST(Packing, TypesThatCerealKnowsComeBack) {
  const std::string with_zero("a\0b", 3);
  EXPECT_EQ(round_trip(with_zero), with_zero);
  EXPECT_EQ(round_trip(std::string()), "");
  EXPECT_EQ(round_trip(std::vector<int>{1, 2, 3}), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(round_trip(std::vector<bool>{true, false}), (std::vector<bool>{true, false}));
  EXPECT_EQ(round_trip(std::map<std::string, int>{{"a", 1}, {"b", 2}}),
            (std::map<std::string, int>{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(round_trip(std::tuple(1, std::string("x"))), std::tuple(1, std::string("x")));
}

TEST(Packing, NestedTypesComeBack) {
  const std::map<std::string, std::vector<Named>> nested{
      {"one", {{"p", {{1, 2}, {3, 4}}}, {"q", {}}}}, {"none", {}}};
  EXPECT_EQ(round_trip(nested), nested);
}

TEST(Packing, MoveOnlyTypesComeBack) {
  EXPECT_EQ(*round_trip(std::make_unique<int>(7)), 7);
  EXPECT_EQ(round_trip(std::unique_ptr<int>()), nullptr);
}

TEST(Packing, LargeTextComesBack) {
  const std::string text(3'000'000, 'x');
  EXPECT_EQ(round_trip(text), text);
}

TEST(Packing, ValuesComeBackInOrder) {
  Packer packer;
  packer.put(1);
  packer.put(std::string("two"));
  packer.put_all(std::span<const int>(std::vector<int>{3, 4}));
  packer.put_all(std::span<const std::string>(std::vector<std::string>{"five", ""}));
  packer.put(6.0);
  const auto bytes = packer.take();
  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.get<int>(), 1);
  EXPECT_EQ(unpacker.get<std::string>(), "two");
  EXPECT_THAT(unpacker.get_all<int>(), ElementsAre(3, 4));
  EXPECT_THAT(unpacker.get_all<std::string>(), ElementsAre("five", ""));
  EXPECT_EQ(unpacker.get<double>(), 6.0);
  EXPECT_EQ(unpacker.left(), 0U);
}

TEST(Packing, EmptySequencesComeBack) {
  Packer packer;
  packer.put_all(std::span<const int>());
  packer.put_all(std::span<const std::string>());
  const auto bytes = packer.take();
  Unpacker unpacker(bytes);
  EXPECT_THAT(unpacker.get_all<int>(), IsEmpty());
  EXPECT_THAT(unpacker.get_all<std::string>(), IsEmpty());
}

TEST(Packing, UnalignedValuesAreReadRight) {
  Packer packer;
  packer.put(char{1});
  packer.put(std::uint64_t{2});
  packer.put_all(std::span<const double>(std::vector<double>{3, 4}));
  const auto bytes = packer.take();
  Unpacker unpacker(bytes);
  EXPECT_EQ(unpacker.get<char>(), 1);
  EXPECT_EQ(unpacker.get<std::uint64_t>(), 2U);
  EXPECT_THAT(unpacker.get_all<double>(), ElementsAre(3, 4));
}

TEST(Packing, TakeLeavesThePackerEmptyAndUsable) {
  Packer packer;
  packer.put(1);
  EXPECT_EQ(packer.take().size(), sizeof(int));
  EXPECT_EQ(packer.size(), 0U);
  packer.put(char{2});
  EXPECT_EQ(packer.take().size(), 1U);
}

// Every proper prefix of what was packed is refused, never read past.
template <class Put, class Get>
void expect_prefixes_refused(Put put, Get get) {
  Packer packer;
  put(packer);
  const auto bytes = packer.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // A copy of just that length, so that the address sanitizer sees a read past it.
    const std::vector<std::byte> prefix(bytes.begin(),
                                        bytes.begin() + static_cast<std::ptrdiff_t>(size));
    Unpacker unpacker(prefix);
    EXPECT_THROW(get(unpacker), std::logic_error) << size << " of " << bytes.size();
  }
}

TEST(Packing, TruncatedDataIsRefused) {
  expect_prefixes_refused(
      [](Packer& p) {
        p.put(Point{1, 2});
      },
      [](Unpacker& u) { u.get<Point>(); });
  expect_prefixes_refused([](Packer& p) { p.put(std::string("text")); },
                          [](Unpacker& u) { u.get<std::string>(); });
  expect_prefixes_refused(
      [](Packer& p) {
        p.put(Named{"name", {{1, 2}}});
      },
      [](Unpacker& u) { u.get<Named>(); });
  expect_prefixes_refused(
      [](Packer& p) {
        p.put_all(std::span<const int>(std::vector<int>{1, 2, 3}));
      },
      [](Unpacker& u) { u.get_all<int>(); });
  expect_prefixes_refused(
      [](Packer& p) {
        p.put_all(std::span<const Named>(std::vector<Named>{{"a", {}}, {}}));
      },
      [](Unpacker& u) { u.get_all<Named>(); });
}

// A length that no memory could hold: allocating it would fail with another message.
TEST(Packing, HugeLengthsAreRefusedWithoutAllocating) {
  const auto check_failed = ThrowsMessage<std::logic_error>(HasSubstr("check failed"));
  for (const std::uint64_t length :
       {std::uint64_t{1} << 40U, std::uint64_t{1} << 61U, std::uint64_t{1} << 63U,
        std::numeric_limits<std::uint64_t>::max() / sizeof(int) + 2,
        std::numeric_limits<std::uint64_t>::max()}) {
    Packer packer;
    packer.put(length);
    packer.put(std::array<int, 4>{});
    const auto bytes = packer.take();
    EXPECT_THAT([&] { Unpacker(bytes).get<std::string>(); }, check_failed) << length;
    EXPECT_THAT([&] { Unpacker(bytes).get_all<char>(); }, check_failed) << length;
    EXPECT_THAT([&] { Unpacker(bytes).get_all<int>(); }, check_failed) << length;
    EXPECT_THAT([&] { Unpacker(bytes).get_all<Point>(); }, check_failed) << length;
    EXPECT_THAT([&] { Unpacker(bytes).get_all<std::string>(); }, check_failed) << length;
  }
}

TEST(Packing, DataThatEndsInsideACerealTypeIsRefused) {
  // Its outer length is right, the string's own one promises more.
  Packer packer;
  packer.put(std::uint64_t{sizeof(std::uint64_t) + 1});
  packer.put(std::uint64_t{5});
  packer.put('x');
  const auto bytes = packer.take();
  EXPECT_THROW(Unpacker(bytes).get<std::string>(), std::logic_error);
}

TEST(Packing, NothingIsLeftHalfReadAfterARefusal) {
  const std::vector<std::byte> bytes(3);
  Unpacker unpacker(bytes);
  EXPECT_THROW(unpacker.get<int>(), std::logic_error);
  EXPECT_EQ(unpacker.left(), 3U);
}

struct NeitherBytesNorCereal {
  std::string text;
};
struct NoDefault {
  explicit NoDefault(int) {}
};
enum class Colour : std::uint8_t { red };

static_assert(TravelsAsBytes<int> && TravelsAsBytes<Point> && TravelsAsBytes<Colour>);
static_assert(TravelsAsBytes<std::array<Point, 2>>);
static_assert(!TravelsAsBytes<std::string> && TravelsByCereal<std::string>);
static_assert(TravelsByCereal<Named> && !TravelsByCereal<Point>, "bytes come first");
static_assert(Travels<std::unique_ptr<int>>);
static_assert(!Travels<int*> && !Travels<const char*>, "a pointer means nothing elsewhere");
static_assert(!Travels<void (*)()> && !Travels<int Point::*>);
static_assert(!Travels<std::string_view> && !Travels<std::span<const int>>);
static_assert(!Travels<NeitherBytesNorCereal>);
static_assert(!Travels<NoDefault>, "unpacking makes one before it fills it");

}  // namespace
}  // namespace belay::test
