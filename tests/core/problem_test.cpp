#include "belay/core/problem.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace belay::test {
namespace {

// The smallest problem in the long form: a bag is a number of equal tasks.
struct Pile {
  struct Bag {
    std::size_t tasks = 0;
    [[nodiscard]] std::size_t size() const { return tasks; }
  };
  using Result = long;

  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] long identity() const { return 0; }
  void process(Bag& bag, long& result, Quantum& quantum) const {
    while (bag.tasks > 0 && quantum.take()) {
      --bag.tasks;
      ++result;
    }
  }
  [[nodiscard]] Bag split(Bag& bag, Share share) const {
    const std::size_t given = share.of(bag.tasks);
    bag.tasks -= given;
    return {given};
  }
  void merge(Bag& into, Bag&& from) const { into.tasks += from.tasks; }
  void pack(const Bag& bag, Packer& packer) const { packer.put(bag.tasks); }
  [[nodiscard]] Bag unpack(Unpacker& unpacker) const { return {unpacker.get<std::size_t>()}; }
  static void reduce(long& into, long&& from) { into += from; }
};

struct PileWithLocal : Pile {
  using Local = std::vector<int>;
  [[nodiscard]] Local make_local() const { return {1, 2, 3}; }
  void process(Bag& bag, Local& local, long& result, Quantum& quantum) const {
    result += static_cast<long>(local.size());
    Pile::process(bag, result, quantum);
  }
};

// A Local stays where it was made.
struct PileWithImmovableLocal : Pile {
  struct Local {
    Local() = default;
    Local(const Local&) = delete;
    Local& operator=(const Local&) = delete;
    int value = 7;
  };
  [[nodiscard]] Local make_local() const { return {}; }
  void process(Bag& /*bag*/, Local& local, long& result, Quantum& /*quantum*/) const {
    result += local.value;
  }
};

// Names a Local and does not want it in process.
struct PileThatIgnoresItsLocal : Pile {
  using Local = int;
  [[nodiscard]] Local make_local() const { return 1; }
};

struct MoveOnlyPile {
  using Bag = std::vector<std::unique_ptr<int>>;
  using Result = std::unique_ptr<int>;
  [[nodiscard]] Bag empty_bag() const { return {}; }
  [[nodiscard]] Result identity() const { return nullptr; }
  void process(Bag&, Result&, Quantum&) const {}
  [[nodiscard]] Bag split(Bag&, Share) const { return {}; }
  void merge(Bag&, Bag&&) const {}
  void pack(const Bag&, Packer&) const {}
  [[nodiscard]] Bag unpack(Unpacker&) const { return {}; }
  static void reduce(Result&, Result&&) {}
};

static_assert(Problem<Pile> && Problem<PileWithLocal> && Problem<PileWithImmovableLocal>);
static_assert(Problem<PileThatIgnoresItsLocal>);
static_assert(Problem<MoveOnlyPile>, "bags and results need only be movable");

// Right but for what its bag may be.
template <class B>
struct BagsOf {
  using Bag = B;
  using Result = int;
  [[nodiscard]] Bag empty_bag() const;
  [[nodiscard]] int identity() const;
  void process(Bag&, int&, Quantum&) const;
  [[nodiscard]] Bag split(Bag&, Share) const;
  void merge(Bag&, Bag&&) const;
  void pack(const Bag&, Packer&) const;
  [[nodiscard]] Bag unpack(Unpacker&) const;
  static void reduce(int&, int&&);
};
struct NoSize {};
struct Immovable {
  Immovable() = default;
  Immovable(const Immovable&) = delete;
  Immovable& operator=(const Immovable&) = delete;
  [[nodiscard]] std::size_t size() const;
};
struct ChangingSize {
  std::size_t size();
};
struct SizeInWords {
  [[nodiscard]] std::string size() const;
};

static_assert(Problem<BagsOf<std::vector<int>>> && Problem<BagsOf<std::string>>);
static_assert(!Problem<BagsOf<NoSize>> && !Problem<BagsOf<ChangingSize>>);
static_assert(!Problem<BagsOf<SizeInWords>> && !Problem<BagsOf<Immovable>>);

// Each lacks or spoils one thing.
struct PointerResult : Pile {
  using Result = const char*;
};
struct ProcessThatChangesTheProblem : Pile {
  void process(Bag& bag, long& result, Quantum& quantum) { Pile::process(bag, result, quantum); }
};
struct ProcessWithoutQuantum : Pile {
  void process(Bag&, long&) const {}
};
struct SplitThatReturnsNothing : Pile {
  void split(Bag&, Share) const {}
};
struct MergeOfCopies : Pile {
  void merge(Bag&, Bag&) const {}
};
struct PackThatNeedsToChangeTheBag : Pile {
  void pack(Bag&, Packer&) const {}
};
struct UnpackOfSomethingElse : Pile {
  [[nodiscard]] int unpack(Unpacker&) const { return 0; }
};
struct IdentityOfSomethingElse : Pile {
  [[nodiscard]] std::string identity() const { return {}; }
};
struct ReduceOfAnObject : Pile {
  void reduce(long&, long&&) const {}
};
struct LocalThatNobodyMakes : Pile {
  using Local = int;
};
struct LocalOfSomethingElse : Pile {
  using Local = int;
  [[nodiscard]] std::string make_local() const { return {}; }
};
struct PrivateParts : private Pile {};

static_assert(!Problem<PointerResult>, "results travel too");
static_assert(!Problem<ProcessThatChangesTheProblem>, "workers share one constant problem");
static_assert(!Problem<ProcessWithoutQuantum>);
static_assert(!Problem<SplitThatReturnsNothing> && !Problem<MergeOfCopies>);
static_assert(!Problem<PackThatNeedsToChangeTheBag> && !Problem<UnpackOfSomethingElse>);
static_assert(!Problem<IdentityOfSomethingElse> && !Problem<ReduceOfAnObject>);
static_assert(!Problem<LocalThatNobodyMakes> && !Problem<LocalOfSomethingElse>);
static_assert(!Problem<PrivateParts> && !Problem<int> && !Problem<std::vector<int>>);

static_assert(std::is_empty_v<LocalOf<Pile>>, "no Local costs nothing");
static_assert(std::is_same_v<LocalOf<PileWithLocal>, std::vector<int>>);

template <class P>
long processed(const P& problem, std::size_t tasks) {
  const std::atomic<bool> attention{false};
  Quantum quantum(attention, 1000);
  typename P::Bag bag{tasks};
  long result = problem.identity();
  LocalOf<P> local = detail::make_local(problem);
  detail::process(problem, bag, local, result, quantum);
  return result;
}

TEST(Problem, ProcessIsCalledWithItsLocalWhereItWantsOne) {
  EXPECT_EQ(processed(Pile{}, 5), 5);
  EXPECT_EQ(processed(PileWithLocal{}, 5), 8);
  EXPECT_EQ(processed(PileWithImmovableLocal{}, 5), 7);
  EXPECT_EQ(processed(PileThatIgnoresItsLocal{}, 5), 5);
}

}  // namespace
}  // namespace belay::test
