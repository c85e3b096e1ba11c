#include "belay/intra/cpu_quota.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace belay {

namespace {

namespace fs = std::filesystem;

enum class Version { v1, v2 };

// Where this process is in a hierarchy that may limit CPU time.
struct Place {
  Version version;
  fs::path path;
};

// Where such a hierarchy, from `top` on, can be seen.
struct Mount {
  Version version;
  fs::path top;
  fs::path point;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

bool has_cpu(const std::string& controllers) {
  return std::ranges::count(split(controllers, ','), "cpu") > 0;
}

// "\040" stands for a blank, and so on.
std::string unescaped(const std::string& text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string digits = text.substr(i + 1, 3);
    if (text[i] == '\\' && digits.size() == 3 && std::ranges::all_of(digits, is_octal)) {
      plain += static_cast<char>(std::stoi(digits, nullptr, 8));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// Lines such as "0::/a/b" (version 2) and "4:cpu,cpuacct:/a/b".
std::vector<Place> read_places(const fs::path& root) {
  std::vector<Place> places;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (!path.starts_with('/')) continue;
    if (line.starts_with("0::")) places.push_back({Version::v2, path});
    if (has_cpu(controllers)) places.push_back({Version::v1, path});
  }
  return places;
}

// Lines such as "30 22 0:27 /a /sys/fs/cgroup/cpu rw,nosuid shared:9 - cgroup cgroup rw,cpu":
// the top is the fourth field, the mount point the fifth; after the lone dash come the type of
// file system, the source and the hierarchy's options.
std::vector<Mount> read_mounts(const fs::path& root) {
  std::vector<Mount> mounts;
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> fields = split(line, ' ');
    if (fields.size() < 10) continue;
    const auto dash = std::find(fields.begin() + 6, fields.end(), "-");
    if (fields.end() - dash < 4) continue;
    const fs::path top = unescaped(fields[3]);
    const fs::path point = root / fs::path(unescaped(fields[4])).relative_path();
    if (dash[1] == "cgroup2") mounts.push_back({Version::v2, top, point});
    if (dash[1] == "cgroup" && has_cpu(dash[3])) mounts.push_back({Version::v1, top, point});
  }
  return mounts;
}

// The number at a file's beginning, or after a first one; nothing for "max".
std::optional<double> read_number(const fs::path& path, int index = 0) {
  std::ifstream file(path);
  std::int64_t number = 0;
  for (int i = 0; i <= index; ++i) file >> number;
  if (!file) return std::nullopt;
  return static_cast<double>(number);
}

std::optional<double> read_limit(const fs::path& cgroup, Version version) {
  const bool is_v2 = version == Version::v2;
  const auto quota_us = read_number(cgroup / (is_v2 ? "cpu.max" : "cpu.cfs_quota_us"));
  const auto period_us =
      is_v2 ? read_number(cgroup / "cpu.max", 1) : read_number(cgroup / "cpu.cfs_period_us");
  // Version 1 says -1 for none.
  if (!quota_us || !period_us || *quota_us <= 0 || *period_us <= 0) return std::nullopt;
  return *quota_us / *period_us;
}

// By device and inode: paths differ between containers, and are "/" in most.
std::uint64_t name_of(const fs::path& cgroup) {
  struct stat status {};
  if (stat(cgroup.c_str(), &status) != 0) return 0;
  return std::hash<std::string>{}(std::to_string(status.st_dev) + ':' +
                                  std::to_string(status.st_ino));
}

// Looks from a mount's top down to `below`.
void look(const Mount& mount, const fs::path& below, std::optional<CpuQuota>& smallest) {
  const auto look_at = [&](const fs::path& cgroup) {
    const auto cpus = read_limit(cgroup, mount.version);
    if (cpus && (!smallest || *cpus < smallest->cpus)) smallest = {*cpus, name_of(cgroup)};
  };
  fs::path cgroup = mount.point;
  look_at(cgroup);
  for (const fs::path& name : below) look_at(cgroup /= name);
}

}  // namespace

std::optional<CpuQuota> cpu_quota(const fs::path& root) {
  const std::vector<Mount> mounts = read_mounts(root);
  std::optional<CpuQuota> smallest;
  for (const Place& place : read_places(root)) {
    bool is_seen = false;
    for (const Mount& mount : mounts) {
      if (mount.version != place.version) continue;
      const fs::path below = place.path.lexically_relative(mount.top);
      if (below.empty() || std::ranges::count(below, "..") > 0) continue;
      look(mount, below, smallest);
      is_seen = true;
    }
    if (is_seen) continue;
    // Namespaces, and runtimes that mount a container's own cgroup alone, give paths that lead
    // out of what is mounted. Then the tops are what is known to be around the process.
    for (const Mount& mount : mounts) {
      if (mount.version == place.version) look(mount, {}, smallest);
    }
  }
  return smallest;
}

}  // namespace belay
