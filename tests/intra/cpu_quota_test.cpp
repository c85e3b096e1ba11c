#include "belay/intra/cpu_quota.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace belay::test {
namespace {

namespace fs = std::filesystem;

// A made-up root folder, with /proc/self and whatever is mounted.
class CpuQuotaOf : public testing::Test {
 protected:
  CpuQuotaOf() : root_(fs::path(testing::TempDir()) / ("cpu_quota_" + std::to_string(getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~CpuQuotaOf() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  void in_cgroups(const std::string& lines) const { write("proc/self/cgroup", lines); }
  void with_mounts(const std::string& lines) const { write("proc/self/mountinfo", lines); }

  void in_v2(const std::string& path, const std::string& top = "/") const {
    in_cgroups("0::" + path + "\n");
    with_mounts("26 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n30 22 0:27 " + top +
                " /sys/fs/cgroup rw,nosuid shared:9 master:1 - cgroup2 cgroup2 rw\n");
  }
  void in_v1(const std::string& path, const std::string& top = "/") const {
    in_cgroups("5:cpuset:/elsewhere\n4:cpuacct,cpu:" + path + "\n1:name=systemd:/x\n");
    with_mounts("32 30 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n31 30 0:28 " +
                top + " /sys/fs/cgroup/cpu,cpuacct rw,nosuid - cgroup cgroup rw,cpu,cpuacct\n");
  }
  void limit_v2(const std::string& path, const std::string& text) const {
    write("sys/fs/cgroup" + path + "/cpu.max", text);
  }
  void limit_v1(const std::string& path, const std::string& quota,
                const std::string& period = "100000\n") const {
    write("sys/fs/cgroup/cpu,cpuacct" + path + "/cpu.cfs_quota_us", quota);
    write("sys/fs/cgroup/cpu,cpuacct" + path + "/cpu.cfs_period_us", period);
  }

  // 0: none.
  [[nodiscard]] double cpus() const {
    const auto quota = cpu_quota(root_);
    return quota ? quota->cpus : 0;
  }
  [[nodiscard]] std::uint64_t cgroup() const { return cpu_quota(root_).value().cgroup; }

  fs::path root_;
};

TEST_F(CpuQuotaOf, NothingIsNone) {
  EXPECT_EQ(cpus(), 0);
  in_v2("/a");
  EXPECT_EQ(cpus(), 0);
  in_v1("/a");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(CpuQuotaOf, Version2IsQuotaOverPeriod) {
  in_v2("/a/b");
  limit_v2("/a/b", "150000 100000\n");
  EXPECT_EQ(cpus(), 1.5);
  limit_v2("/a/b", "max 100000\n");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(CpuQuotaOf, Version1IsQuotaOverPeriod) {
  in_v1("/a/b");
  limit_v1("/a/b", "75000\n", "25000\n");
  EXPECT_EQ(cpus(), 3);
  limit_v1("/a/b", "-1\n");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(CpuQuotaOf, TheSmallestOfAllAncestorsCounts) {
  in_v2("/a/b/c");
  limit_v2("/a/b/c", "400000 100000\n");
  limit_v2("/a", "250000 100000\n");
  limit_v2("/a/b", "max 100000\n");
  limit_v2("/a/x", "100000 100000\n");
  EXPECT_EQ(cpus(), 2.5);
  limit_v2("", "50000 100000\n");
  EXPECT_EQ(cpus(), 0.5);

  in_v1("/a/b/c");
  limit_v1("/a/b/c", "400000\n");
  limit_v1("/a", "250000\n");
  limit_v1("/a/b", "-1\n");
  limit_v1("/a/x", "100000\n");
  EXPECT_EQ(cpus(), 2.5);
}

TEST_F(CpuQuotaOf, ProcessesAreLimitedTogetherByTheCgroupThatHasTheQuota) {
  limit_v2("/a", "300000 100000\n");
  limit_v2("/a/b", "300000 100000\n");
  limit_v2("/a/c", "max 100000\n");
  limit_v2("/d", "300000 100000\n");
  in_v2("/a/b");
  const auto in_b = cgroup();
  in_v2("/a/c");
  EXPECT_EQ(cgroup(), in_b) << "both are limited by /a";
  in_v2("/d");
  EXPECT_NE(cgroup(), in_b);
  limit_v2("/a/b", "200000 100000\n");
  in_v2("/a/b");
  EXPECT_NE(cgroup(), in_b) << "its own is smaller";
}

TEST_F(CpuQuotaOf, HybridMountsHaveItInVersion1) {
  in_cgroups("4:cpu:/job\n3:cpuset:/other\n0::/init.scope\n");
  with_mounts(
      "31 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu\n"
      "40 30 0:37 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  limit_v1("/job", "200000\n");
  limit_v1("/other", "100000\n");
  write("sys/fs/cgroup/unified/init.scope/cgroup.procs", "1\n");
  EXPECT_EQ(cpus(), 2);
}

TEST_F(CpuQuotaOf, AContainerSeesItsOwnCgroupAsTheTop) {
  in_v1("/docker/12/sub", "/docker/12");
  limit_v1("", "300000\n");
  limit_v1("/sub", "200000\n");
  EXPECT_EQ(cpus(), 2);
  in_v1("/docker/12", "/docker/12");
  EXPECT_EQ(cpus(), 3);
}

TEST_F(CpuQuotaOf, PathsThatLeadOutOfWhatIsMountedEndAtTheTop) {
  limit_v2("", "300000 100000\n");
  write("sys/fs/cpu.max", "100000 100000\n");  // no cgroup
  for (const char* path : {"/docker/12", "/docker/123/sub", "/../..", "/../other"}) {
    in_v2(path, "/docker/122");
    EXPECT_EQ(cpus(), 3) << path;
  }
  in_v2("/../../other");
  EXPECT_EQ(cpus(), 3);
  in_v2("/", "/../..");  // the mount begins above the namespace
  EXPECT_EQ(cpus(), 3);
  limit_v2("/sub", "200000 100000\n");
  in_v2("/../sub", "/..");
  EXPECT_EQ(cpus(), 2);
}

TEST_F(CpuQuotaOf, AnotherContainersMountDoesNotCount) {
  in_cgroups("0::/a\n");
  with_mounts(
      "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
      "31 22 0:27 /b /run/b/cgroup rw - cgroup2 cgroup2 rw\n");
  limit_v2("/a", "300000 100000\n");
  write("run/b/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(cpus(), 3);
}

TEST_F(CpuQuotaOf, FoldersThatAreGoneLeaveTheirAncestors) {
  in_v2("/a/gone (deleted)");
  limit_v2("/a", "300000 100000\n");
  EXPECT_EQ(cpus(), 3);
}

TEST_F(CpuQuotaOf, NamesMayHaveBlanksAndColons) {
  in_cgroups("0::/a b/c:d\n");
  with_mounts("30 22 0:27 /a\\040b /mnt/c\\134\\040\\011 rw - cgroup2 no\\040name rw\n");
  write("mnt/c\\ \t/c:d/cpu.max", "300000 100000\n");
  EXPECT_EQ(cpus(), 3);
}

TEST_F(CpuQuotaOf, GarbageIsNoLimit) {
  in_v2("/a");
  for (const char* text : {"", "\n", "max", "1000000", "-5 100000", "100000 0", "0 100000",
                           "two four", "1x 100000", "99999999999999999999 1", "100000 -1"}) {
    limit_v2("/a", text);
    EXPECT_EQ(cpus(), 0) << text;
  }
  in_v1("/a");
  for (const char* text : {"", "many", "0", "-2"}) {
    limit_v1("/a", text);
    EXPECT_EQ(cpus(), 0) << text;
    limit_v1("/a", "100000", text);
    EXPECT_EQ(cpus(), 0) << text;
  }
  fs::remove(root_ / "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us");
  EXPECT_EQ(cpus(), 0);
}

TEST_F(CpuQuotaOf, GarbageInProcIsSkipped) {
  limit_v2("/a", "300000 100000\n");
  in_v2("/a");
  const std::string mount = "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  in_cgroups("\n:\n::\n0\n0:\n0::\n0::a\nx:cpu\n0::/a\n");
  with_mounts("\n \n-\n1 2 3 4 5 6 -\n1 2 3 4 5 6 7 8 9 -\n1 2 3 4 5 6 - cgroup2\n" + mount);
  EXPECT_EQ(cpus(), 3);
  std::string garbage(100'000, '\\');
  garbage += '\n';
  garbage.append(1000, '\0');
  with_mounts(garbage + "\n");
  EXPECT_EQ(cpus(), 0);
  with_mounts("30 22 0:27 \\ /sys/fs/cgr\\9oup\\04 rw - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(cpus(), 0);

  fs::remove_all(root_ / "proc/self");
  fs::create_directories(root_ / "proc/self/cgroup");
  fs::create_directories(root_ / "proc/self/mountinfo");
  EXPECT_EQ(cpus(), 0);
  in_v2("/a");  // cannot: folders are in the way
  EXPECT_EQ(cpus(), 0);
}

TEST(CpuQuota, OfThisMachineIsNoneOrMoreThanZero) {
  const auto quota = cpu_quota();
  EXPECT_GT(quota ? quota->cpus : 1, 0);
}

}  // namespace
}  // namespace belay::test
