#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <thread>
#include <vector>

#include "belay/inter/mpi/mailbox.hpp"

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
  Mailbox mailbox(&communicator_, 5);
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
  Mailbox mailbox(&communicator_, 5);
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

TEST_F(MailboxOverRanks, AnotherTagsMessagesStayWhereTheyAre) {
  Mailbox now(&communicator_, 5);
  Mailbox later(&communicator_, 6);
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
