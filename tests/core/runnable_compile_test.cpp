// What the compiler says of a type that run() cannot take. Compiled once for each LACKS_...; the
// build's tests look for the sentence, and see that nothing is wrong when nothing is lacking.
#include <cstddef>
#include <string>
#include <vector>

#include "belay/core/runnable.hpp"

struct Opaque {
  std::string text;  // neither bytes, nor known to cereal
};

struct LongForm {
#ifndef LACKS_BAG
  struct Bag {  // which cannot travel without help
    std::vector<Opaque> tasks;
    [[nodiscard]] std::size_t size() const;
  };
#else
  struct Bag {};
#endif
  using Local = int;
#ifndef LACKS_RESULT_THAT_TRAVELS
  using Result = long;
#else
  using Result = Opaque;
#endif
#ifndef LACKS_LOCAL
  [[nodiscard]] Local make_local() const;
#endif
#ifndef LACKS_EMPTY_BAG
  [[nodiscard]] Bag empty_bag() const;
#endif
#ifndef LACKS_IDENTITY
  [[nodiscard]] Result identity() const;
#endif
#ifndef LACKS_PROCESS
  void process(Bag&, Local&, Result&, belay::Quantum&) const;
#else
  void process(Bag&, Local&, Result&, belay::Quantum&);  // not const
#endif
#ifndef LACKS_SPLIT
  Bag split(Bag&, belay::Share) const;
#endif
#ifndef LACKS_MERGE
  void merge(Bag&, Bag&&) const;
#endif
#ifndef LACKS_PACK
  void pack(const Bag&, belay::Packer&) const;
#endif
#ifndef LACKS_UNPACK
  Bag unpack(belay::Unpacker&) const;
#endif
#ifndef LACKS_REDUCE
  static void reduce(Result&, Result&&);
#endif
};

struct ShortForm {
#ifndef LACKS_TASK_THAT_TRAVELS
  using Task = std::vector<std::string>;
#else
  using Task = Opaque;
#endif
#ifndef LACKS_DEFAULT_RESULT
  using Result = long;
#else
  struct Result {
    explicit Result(int);
    void pack(belay::Packer&) const;
    static Result unpack(belay::Unpacker&);
  };
#endif
#ifndef LACKS_CALL
  void operator()(Task, belay::Spawn<Task>&, Result&) const;
#endif
  static void reduce(Result&, Result&&);
};

#ifdef LACKS_RESULT
struct Neither {
  using Task = int;
};
#elif defined(LACKS_BAG_AND_TASK)
struct Neither {
  using Result = int;
  static void reduce(int&, int&&);
};
#else
using Neither = ShortForm;
#endif

#ifndef LACKS_PLACE
using Work = belay::AtRoot<int>;
#else
using Work = std::vector<int>;
#endif

static_assert(belay::require_runnable<LongForm, Work>());
static_assert(belay::require_runnable<ShortForm, Work>());
static_assert(belay::require_runnable<Neither, Work>());
