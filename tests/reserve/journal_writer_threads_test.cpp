#include "reserve/journal_writer.hpp"
#include "reserve/leases.hpp"

#include <atomic>
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace journal_writer_test {

using namespace gapless;
using namespace gapless::test;

/// What this program asked of its disk.
std::atomic<int> flushes{};
std::atomic<bool> disk_is_bad{};

/// In place of the C library's, which the journal calls: counts, and fails where it is told to.
extern "C" int fdatasync(int handle)
{
    if (disk_is_bad)
    {
        errno = EIO;
        return -1;
    }
    ++flushes;
    return static_cast<int>(::syscall(SYS_fdatasync, handle));
}

/// A writer, and what it told. The thread waits in telling while the gate is closed.
class bench
{
public:
    bench()
        : writer{std::make_unique<journal_writer>(
              lease_journal::create(folder.path, "db-1", id_of(9)),
              [this](std::uint64_t upto, std::string const& failure) {
                  std::unique_lock lock{mutex_};
                  told_.emplace_back(upto, failure);
                  changed_.notify_all();
                  changed_.wait(lock, [this] { return !is_closed_; });
              }
          )}
    {
    }
    ~bench()
    {
        disk_is_bad = false;
        close_gate(false);
    }

    void close_gate(bool closed)
    {
        std::lock_guard const lock{mutex_};
        is_closed_ = closed;
        changed_.notify_all();
    }

    /// The n-th thing that was told, from 1; a test fails after 10 s without it.
    std::pair<std::uint64_t, std::string> told(std::size_t n)
    {
        std::unique_lock lock{mutex_};
        REQUIRE(changed_.wait_for(lock, 10s, [&] { return told_.size() >= n; }));
        return told_[n - 1];
    }

    std::size_t times_told()
    {
        std::lock_guard const lock{mutex_};
        return told_.size();
    }

    new_folder folder;

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::pair<std::uint64_t, std::string>> told_;
    bool is_closed_{};

public:
    std::unique_ptr<journal_writer> writer;  // last: its thread uses the others
};

TEST_SUITE("reserve/journal_writer_threads")
{
    TEST_CASE("a record is told when it is on the disk")
    {
        bench it;
        auto const before = flushes.load();
        CHECK(it.writer->append(encode(left_of(101), 1)) == 1);
        CHECK(it.told(1) == std::pair{std::uint64_t{1}, std::string{}});
        CHECK(flushes == before + 1);
        CHECK(lease_journal::read(it.writer->file()).unsettled.size() == 1);
        CHECK(it.writer->append(encode(left_of(102), 2)) == 2);
        CHECK(it.told(2).first == 2);
        CHECK(it.writer->size() > 2 * encode(left_of(101), 1).size());
    }

    TEST_CASE("whatever came during a flush shares the next one")
    {
        bench it;
        it.close_gate(true);
        it.writer->append(encode(left_of(101), 1));
        it.told(1);
        auto const before = flushes.load();
        for (std::uint64_t n = 2; n <= 50; ++n)
            CHECK(it.writer->append(encode(left_of(static_cast<std::int64_t>(100 + n)), n)) == n);
        it.close_gate(false);
        CHECK(it.told(2) == std::pair{std::uint64_t{50}, std::string{}});
        CHECK(flushes == before + 1);
        CHECK(lease_journal::read(it.writer->file()).unsettled.size() == 50);
    }

    TEST_CASE("who waits for a record goes on when it is on the disk")
    {
        bench it;
        it.writer->append_and_wait(encode(lease_note::intent{id_of(1), 1, 10}));
        CHECK(lease_journal::read(it.writer->file()).leases.size() == 1);
        std::vector<std::jthread> many;
        for (std::uint32_t n = 1; n <= 8; ++n)
            many.emplace_back([&it, n] {
                for (std::uint32_t k = 0; k < 20; ++k)
                    it.writer->append_and_wait(encode(lease_note::intent{
                        id_of(static_cast<unsigned char>(n)), 1, 1 + k}));
            });
        many.clear();
        CHECK(lease_journal::read(it.writer->file()).leases.size() == 8);
    }

    TEST_CASE("a flush that fails is told once, and is the end")
    {
        bench it;
        it.writer->append_and_wait(encode(left_of(101), 1));
        it.told(1);
        disk_is_bad = true;
        it.writer->append(encode(left_of(102), 2));
        auto const [upto, failure] = it.told(2);
        CHECK(upto == 1);
        CHECK(failure.find(it.writer->file().string()) != std::string::npos);
        CHECK(it.writer->failure() == failure);
        disk_is_bad = false;
        auto const before = flushes.load();
        it.writer->append(encode(left_of(103), 3));
        CHECK_THROWS_AS(
            it.writer->append_and_wait(encode(lease_note::settled{1})), lease_journal_failure
        );
        CHECK_THROWS_AS(it.writer->make_room(100), lease_journal_failure);
        CHECK_THROWS_AS(it.writer->retire(), lease_journal_failure);
        auto const file = it.writer->file();
        it.writer.reset();
        CHECK(it.times_told() == 2);
        CHECK(flushes == before);
        // What failed may be there or not; what came later is not.
        CHECK(lease_journal::read(file).next_sequence <= 3);
    }

    TEST_CASE("a disk that is full ends it as well")
    {
        bench it;
        it.writer->append_and_wait(encode(left_of(101), 1));
        file_size_limit const full{it.writer->size() + 10};
        CHECK_THROWS_AS(it.writer->append_and_wait(encode(left_of(102), 2)), lease_journal_failure);
        CHECK_FALSE(it.writer->failure().empty());
    }

    TEST_CASE("room that cannot be made does not end it")
    {
        bench it;
        {
            file_size_limit const full{10'000};
            CHECK_THROWS_AS(it.writer->make_room(20'000), lease_journal_failure);
        }
        CHECK(it.writer->failure().empty());
        it.writer->append_and_wait(encode(left_of(101), 1));
        it.writer->make_room(20'000);
        CHECK(std::filesystem::file_size(it.writer->file()) >= 20'000);
    }

    TEST_CASE("at the end what waits is flushed and told")
    {
        bench it;
        it.close_gate(true);
        it.writer->append(encode(left_of(101), 1));
        it.told(1);
        it.writer->append(encode(left_of(102), 2));
        auto const file = it.writer->file();
        std::jthread ending{[&] { it.writer.reset(); }};
        it.close_gate(false);
        ending.join();
        CHECK(it.told(2) == std::pair{std::uint64_t{2}, std::string{}});
        CHECK(lease_journal::read(file).unsettled.size() == 2);
        CHECK(lease_journal::open(file) != nullptr);
    }

    TEST_CASE("a journal that was retired takes nothing any more")
    {
        bench it;
        it.writer->append_and_wait(encode(left_of(101), 1));
        CHECK_THROWS_AS(it.writer->retire(), lease_journal_failure);
        it.writer->append_and_wait(encode(lease_note::settled{1}));
        it.writer->retire();
        CHECK_FALSE(std::filesystem::exists(it.writer->file()));
        CHECK_THROWS_AS(it.writer->append_and_wait(encode(left_of(102), 2)), lease_journal_failure);
        CHECK_FALSE(it.writer->failure().empty());
    }

    TEST_CASE("a file is flushed before it is read, and refused when that fails")
    {
        new_folder const folder;
        auto const file = lease_journal::create(folder.path, "db-1", id_of(9))->file();
        auto const before = flushes.load();
        CHECK(lease_journal::open(file) != nullptr);
        CHECK(flushes == before + 1);
        disk_is_bad = true;
        CHECK_THROWS_AS(lease_journal::open(file), lease_journal_failure);
        disk_is_bad = false;
        auto const journal = lease_journal::open(file);
        journal->append(encode(left_of(101), 1));
        disk_is_bad = true;
        CHECK_THROWS_AS(journal->flush(), lease_journal_failure);
        disk_is_bad = false;
        CHECK_THROWS_AS(journal->flush(), lease_journal_failure);
    }
}

}  // namespace journal_writer_test
