#pragma once

#include "postgres/database_life.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gapless {

/// A journal that cannot be read or written; names the file and the way out.
struct journal_failure : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// What one file says.
struct journal_content
{
    std::string file;      // its path
    std::string id;        // the same in all copies of the file
    std::int32_t epoch{};  // in which its instance was admitted last
    std::vector<series_mark> marks;
};

/// What an instance knows about the numbers it answered with, kept outside the database: the
/// highest ordinal of each series. A database that was put back to an earlier state cannot tell;
/// these files can.
///
/// A folder holds the journals of all instances of a host: one file per instance and database,
/// <database_id>-<database_oid>.<n>, locked by its instance. A database is judged by all files of
/// its own. One without any that has issued numbers already came out of a dump, and is judged by
/// those of its other copies.
///
/// note() writes before the answer leaves, so a process that dies forgets nothing. The disk is told
/// by a thread of its own every 100 ms, so after a power failure the last moments may be missing:
/// they matter only when the database was put back to these very moments.
///
/// Format: 128 bytes for each series in order of its first number, after 128 for the database. Each
/// holds two records of 64 bytes with a version and a CRC-32, written in turn, so that a torn write
/// leaves the one before. Integers are in the machine's byte order.
class journal
{
public:
    /// Creates the folder when there is none. Throws journal_failure.
    explicit journal(std::filesystem::path folder);
    ~journal();
    journal(journal const&) = delete;
    journal& operator=(journal const&) = delete;

    /// Compares a database with what the journals know. Refuses one that has forgotten numbers,
    /// that is another system without an epoch of its own, or that says itself that something is
    /// wrong. After a failed write everything is written again first. Any thread; may wait for the
    /// disk and for the readers, during which note() goes on. Throws journal_failure, also for a
    /// folder that is gone.
    admission judge(life_reader const& read_life, marks_reader const& read_marks);

    /// Remembers that numbers up to this ordinal left; judge() has admitted their database. Throws
    /// journal_failure: then they must not be answered, and every further call throws until judge()
    /// could write it. Any thread; some microseconds.
    void note(series_mark const& mark);

    /// What this instance has noted of a series; its turn, if that is of this epoch. Any thread;
    /// does not wait for the disk.
    series_mark noted(std::int32_t series_id, std::int32_t epoch);

    /// Waits until the disk has what was noted so far. Throws journal_failure, as note(). Any
    /// thread but the I/O thread.
    void flush();

    /// True when a folder holds a journal of a database, or of another copy of it. Throws
    /// journal_failure.
    static bool is_kept_in(std::filesystem::path const& folder, database_life const& life);

    /// What the journals of a folder know about a database, the highest mark of each series; then
    /// the marks of the database, into `present`. They may be in use. Throws journal_failure.
    static std::vector<series_mark> read(
        std::filesystem::path const& folder,
        database_life const& life,
        marks_reader const& read_marks,
        std::vector<series_mark>& present
    );

    /// What each journal of a folder says that was kept of this database of a server, in the order
    /// of their names. They may be in use. Throws journal_failure.
    static std::vector<journal_content> read_each(
        std::filesystem::path const& folder,
        std::string const& database_id,
        std::string const& database_oid
    );

private:
    struct record;
    struct slot;
    struct file;

    static std::vector<series_mark> highest_in(
        std::vector<std::filesystem::path> const& files, int epoch
    );
    void begin_epoch(std::vector<series_mark> const& present);
    void open_own(std::string const& name);
    void keep(std::int32_t series_id, record const& kept);
    void mend();
    void flush_to_disk(file const& written);
    void sync_now_and_then(std::stop_token const& stop);

    admission judge_by(
        database_life const& life,
        std::vector<series_mark> const& marks,
        std::vector<series_mark> const& present
    );

    std::filesystem::path folder_;
    std::mutex judging_;         // one judgement at a time; taken before mutex_
    std::mutex mutex_;           // guards what follows; never held while a database is asked
    std::string name_;           // of the files of the database judged last, without their number
    std::shared_ptr<file> own_;  // none before a database was judged
    bool dirty_{};
    std::string broken_;  // why the disk did not take it; nothing is answered until it does
    std::vector<std::pair<std::int32_t, record>> unwritten_;  // what it did not take
    std::jthread syncing_;
};

}  // namespace gapless
