#pragma once

#include "reserve/lease_journal.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace gapless {

/// Writes and flushes a journal of leases on its own thread: one flush for all records that came
/// while the previous one was under way.
class journal_writer
{
public:
    /// Called after each flush, on the writer's thread: every record up to `upto` (as append()
    /// counts) is on the disk. If `failure` is not empty, it says why not: records after those
    /// reported before do not count, and no more are accepted.
    using flushed = std::function<void(std::uint64_t upto, std::string const& failure)>;

    journal_writer(std::unique_ptr<lease_journal> file, flushed tell);

    /// Flushes what was appended and reports it.
    ~journal_writer();
    journal_writer(journal_writer const&) = delete;
    journal_writer& operator=(journal_writer const&) = delete;

    /// Adds a record to the next flush; returns its count: 1, 2, 3 …. Does not wait. Any thread.
    std::uint64_t append(std::string_view record);

    /// Adds a record and waits until it is on the disk. Throws lease_journal_failure. Any thread
    /// but the writer's own; not the I/O thread.
    void append_and_wait(std::string_view record);

    /// As in lease_journal; between flushes. Both wait for the disk, so not on the I/O thread.
    /// Throw lease_journal_failure. A retired journal accepts nothing more.
    void make_room(std::uint64_t bytes);
    void retire();

    /// As in lease_journal. Any thread; does not wait.
    std::uint64_t size() const noexcept { return size_; }

    std::filesystem::path const& file() const noexcept { return file_path_; }

    /// Why nothing can be written any more; empty: writing works.
    std::string failure() const;

private:
    void write_until(std::stop_token const& stop);

    /// Writes and flushes the waiting records and reports it. Releases the lock.
    void write_waiting(std::unique_lock<std::mutex>& writing);

    std::unique_ptr<lease_journal> file_;
    std::filesystem::path file_path_;
    flushed tell_;
    mutable std::mutex writing_;  // held while the file is written; taken before mutex_
    mutable std::mutex mutex_;    // guards what follows
    std::condition_variable_any changed_;
    std::string waiting_;       // records for the next flush
    std::uint64_t appended_{};  // records appended so far
    std::uint64_t durable_{};   // of them, on the disk
    std::string failure_;
    std::atomic<std::uint64_t> size_;
    std::jthread thread_;
};

}  // namespace gapless
