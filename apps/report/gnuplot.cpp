#include "apps/report/gnuplot.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "apps/common/printable.hpp"

namespace apps {

namespace {

[[noreturn]] void fail(const std::string& what, int error) {
  throw std::runtime_error(what + ": " + std::generic_category().message(error));
}

// A file without a name. Files, not pipes: nobody waits for anybody to read.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile()) {
    if (file_ == nullptr) fail("no temporary file", errno);
  }

  [[nodiscard]] int descriptor() const { return fileno(file_.get()); }

  void write(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() &&
                         std::fflush(file_.get()) == 0;
    if (!written) fail("a temporary file cannot be written", errno);
    std::rewind(file_.get());
  }

  [[nodiscard]] std::string read() {
    std::rewind(file_.get());
    std::string text;
    std::array<char, 1U << 16U> part{};
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), file_.get())) {
      text.append(part.data(), count);
    }
    return text;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { static_cast<void>(std::fclose(file)); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

// Runs gnuplot with these as its standard input, output and error output; its status as waitpid()
// gives it.
int run_gnuplot(const Scratch& in, const Scratch& out, const Scratch& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  std::string name = "gnuplot";
  std::string defaults = "--default-settings";  // not the user's
  std::string standard_input = "-";
  const std::array<char*, 4> arguments{name.data(), defaults.data(), standard_input.data(),
                                       nullptr};
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, name.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    throw std::runtime_error("gnuplot is not on the PATH; Debian has it in gnuplot-nox");
  }
  if (error != 0) fail("gnuplot cannot be started", error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("gnuplot cannot be waited for", errno);
  }
  return status;
}

// gnuplot draws up to a mistake and says where it is in the last lines.
[[noreturn]] void fail_drawing(const std::string& name, const std::string& said) {
  constexpr std::size_t kMostShown = 300;
  const std::string trimmed = said.substr(0, said.find_last_not_of(" \n") + 1);
  const std::string line = trimmed.substr(trimmed.rfind('\n') + 1);
  throw std::runtime_error("gnuplot did not draw " + name + ": " + printable(line, kMostShown));
}

std::string terminal(const std::string& name, ImageSize size, Image kind) {
  const auto pixels = [&](int scale) {
    return std::to_string(scale * size.width) + ',' + std::to_string(scale * size.height);
  };
  if (kind == Image::png) {
    return "set term pngcairo noenhanced size " + pixels(2) +
           " font 'sans,10' fontscale 2 linewidth 2 background '#ffffff'\n";
  }
  return "set term svg noenhanced size " + pixels(1) + " font 'sans-serif,14' name '" + name +
         "' background '#ffffff'\n";
}

// Puts `more` behind each `mark`.
void insert_behind(std::string& text, std::string_view mark, std::string_view more) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, done)) {
    const std::size_t end = at + mark.size();
    result.append(text, done, end - done) += more;
    done = end;
  }
  text = result.append(text, done);
}

// gnuplot gives all SVGs the same ids, and leaves it to viewers whether they blur the cells of a
// matrix.
std::string for_a_page(std::string svg, const std::string& name) {
  for (const char* const mark : {" id='", " id=\"", "href='#", "href=\"#", "url(#", "url('#"}) {
    insert_behind(svg, mark, name + '_');
  }
  insert_behind(svg, "<image ", "style='image-rendering:pixelated' ");
  return svg;
}

}  // namespace

std::string draw(const std::string& name, const std::string& script, ImageSize size, Image kind) {
  Scratch in;
  Scratch out;
  Scratch err;
  in.write("set encoding utf8\n" + terminal(name, size, kind) + script);
  const int status = run_gnuplot(in, out, err);
  std::string image = out.read();
  if (status != 0 || image.empty()) fail_drawing(name, err.read());
  if (kind == Image::svg) return for_a_page(std::move(image), name);
  return image;
}

}  // namespace apps
