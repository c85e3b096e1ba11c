// The smallest user of the installed package: exits with 0 when the 25th Fibonacci number is right.
#include <belay/belay.hpp>
#include <cstdio>

struct Fib {
  using Task = int;
  using Result = long;
  void operator()(Task n, belay::Spawn<Task>& spawn, Result& sum) const {
    if (n < 2) {
      sum += n;
    } else {
      spawn(n - 1);
      spawn(n - 2);
    }
  }
  static void reduce(Result& into, Result&& from) { into += from; }
};

int main(int argc, char** argv) {
  belay::Session session(argc, argv);
  const long fib = belay::run(session, Fib{}, belay::at_root(25));
  std::printf("fib(25) = %ld\n", fib);
  return fib == 75025 ? 0 : 1;
}
