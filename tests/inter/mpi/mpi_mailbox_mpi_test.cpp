#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "belay/inter/mpi/mpi_mailbox.hpp"

namespace belay {
namespace {

class MailboxOverRanks : public testing::Test {
 protected:
  MailboxOverRanks() {
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &size_);
  }
  ~MailboxOverRanks() override { MPI_Comm_free(&communicator_); }

  template <class Until, class Handle>
  static void poll_until(Mailbox& mailbox, Until&& until, Handle&& handle) {
    while (!until()) {
      if (!mailbox.poll(handle)) std::this_thread::yield();
    }
  }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

TEST_F(MailboxOverRanks, MessagesOfAnySizeArriveWholeAtEveryRank) {
  MpiMailbox mailbox(communicator_, 5);
  const std::vector<std::size_t> sizes{0, 1, 24, 1000, 5000, 70'000, 3'000'000};
  for (int to = 0; to < size_; ++to) {
    for (std::size_t size : sizes) {
      mailbox.send(to, Mailbox::Bytes(size, std::byte{static_cast<unsigned char>(rank_ + 1)}));
    }
  }
  std::map<int, std::vector<std::size_t>> received;
  std::size_t count = 0;
  poll_until(
      mailbox,
      [&] { return count == sizes.size() * static_cast<std::size_t>(size_) && !mailbox.busy(); },
      [&](int from, std::span<const std::byte> bytes) {
        received[from].push_back(bytes.size());
        ++count;
        for (std::byte byte : bytes) {
          ASSERT_EQ(byte, std::byte{static_cast<unsigned char>(from + 1)});
        }
      });
  for (int from = 0; from < size_; ++from) {
    auto got = received[from];
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, sizes) << "from " << from;
  }
}

TEST_F(MailboxOverRanks, SmallMessagesOfOneSenderKeepTheirOrder) {
  MpiMailbox mailbox(communicator_, 5);
  constexpr int kCount = 1000;
  const int to = (rank_ + 1) % size_;
  for (int i = 0; i < kCount; ++i) {
    Mailbox::Bytes bytes(sizeof i);
    std::memcpy(bytes.data(), &i, sizeof i);
    mailbox.send(to, std::move(bytes));
  }
  int next = 0;
  poll_until(
      mailbox, [&] { return next == kCount && !mailbox.busy(); },
      [&](int, std::span<const std::byte> bytes) {
        int value = -1;
        std::memcpy(&value, bytes.data(), sizeof value);
        ASSERT_EQ(value, next++);
      });
}

// A byte of a message, by its place.
std::byte content(int from, std::size_t size, std::size_t place) {
  return std::byte{
      static_cast<unsigned char>(place * 31 + size * 7 + static_cast<std::size_t>(from))};
}

Mailbox::Bytes message_of(int from, std::size_t size) {
  Mailbox::Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = content(from, size, i);
  return bytes;
}

TEST_F(MailboxOverRanks, MessagesLongerThanAPartArriveWhole) {
  MpiMailbox mailbox(communicator_, 5, 1000);
  const std::vector<std::size_t> sizes{0,    1,    999,    1000,   1001, 1999, 2000,
                                       2001, 3000, 70'000, 70'001, 8,    5000};
  for (std::size_t size : sizes) {
    for (int to = 0; to < size_; ++to) mailbox.send(to, message_of(rank_, size));
  }
  std::map<int, std::multiset<std::size_t>> received;
  std::size_t count = 0;
  poll_until(
      mailbox,
      [&] { return count == sizes.size() * static_cast<std::size_t>(size_) && !mailbox.busy(); },
      [&](int from, std::span<const std::byte> bytes) {
        received[from].insert(bytes.size());
        ++count;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
          ASSERT_EQ(bytes[i], content(from, bytes.size(), i)) << bytes.size() << ' ' << i;
        }
      });
  for (int from = 0; from < size_; ++from) {
    EXPECT_EQ(received[from], std::multiset<std::size_t>(sizes.begin(), sizes.end()));
  }
}

// Takes 9 GiB on two ranks; on demand:
//   mpirun -n 2 inter_mpi_test --gtest_also_run_disabled_tests --gtest_filter='*BeyondAnInt'
TEST_F(MailboxOverRanks, DISABLED_MessageOfALengthBeyondAnInt) {
  MpiMailbox mailbox(communicator_, 5);
  constexpr std::size_t kSize = (std::size_t{1} << 31U) + 24;
  const auto same = [](std::size_t i) { return std::byte{static_cast<unsigned char>(i >> 20U)}; };
  if (rank_ == 0) {
    Mailbox::Bytes bytes(kSize);
    for (std::size_t i = 0; i < kSize; ++i) bytes[i] = same(i);
    mailbox.send(size_ - 1, std::move(bytes));
    mailbox.send(size_ - 1, Mailbox::Bytes(24));
  }
  int received = 0;
  const auto all = [&] { return !mailbox.busy() && (rank_ != size_ - 1 || received == 2); };
  poll_until(mailbox, all, [&](int, std::span<const std::byte> bytes) {
    ++received;
    if (bytes.size() == 24) return;
    ASSERT_EQ(bytes.size(), kSize);
    for (std::size_t i = 0; i < kSize; i += 4095) ASSERT_EQ(bytes[i], same(i));
  });
}

TEST_F(MailboxOverRanks, AnotherTagsMessagesStayWhereTheyAre) {
  MpiMailbox now(communicator_, 5);
  MpiMailbox later(communicator_, 6);
  const int to = (rank_ + 1) % size_;
  later.send(to, Mailbox::Bytes(3));
  now.send(to, Mailbox::Bytes(1));
  int received = 0;
  poll_until(
      now, [&] { return received == 1 && !now.busy(); },
      [&](int, std::span<const std::byte> bytes) {
        EXPECT_EQ(bytes.size(), 1U);
        ++received;
      });
  poll_until(
      later, [&] { return received == 2 && !later.busy(); },
      [&](int, std::span<const std::byte> bytes) {
        EXPECT_EQ(bytes.size(), 3U);
        ++received;
      });
}

}  // namespace
}  // namespace belay
