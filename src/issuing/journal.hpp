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

/// A journal that cannot be read or written; the message names the file and the way out.
struct journal_failure : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// The content of one file.
struct journal_content
{
    std::string file;      // its path
    std::string id;        // the same in all copies of the file
    std::int32_t epoch{};  // in which its instance was last admitted
    std::vector<series_mark> marks;
};

/// What an instance knows about the numbers it answered with, kept outside the database: the
/// highest ordinal of each series, and its serial. A database that was put back to an earlier state
/// cannot tell; these files can.
///
/// A folder holds the journals of all instances of a host: one file per instance and database,
/// <database_id>-<database_oid>.<n>, locked by its instance. A database is checked against all its
/// own files. One that has none but has issued numbers was restored from a dump, and is checked
/// against the files of its other copies.
///
/// note() writes before the answer is sent, so a process that dies loses nothing. A thread syncs to
/// disk every 100 ms, so a power failure may lose the last moments; that matters only if the
/// database was put back to exactly these.
///
/// Format: 128 bytes for each series in order of its first number, after 128 for the database. Each
/// holds two records of 64 bytes with a version and a CRC-32, written in turn, so that a torn write
/// leaves the previous one. Integers are in the machine's byte order.
class journal
{
public:
    /// Creates the folder if it does not exist. Throws journal_failure.
    explicit journal(std::filesystem::path folder);
    ~journal();
    journal(journal const&) = delete;
    journal& operator=(journal const&) = delete;

    /// Compares a database with what the journals know. Refuses one that has forgotten numbers,
    /// that is another system without its own epoch, or that itself reports a problem. After a
    /// failed write, writes everything again first. Any thread; may wait for the disk and for the
    /// readers, while note() continues. Throws journal_failure, also if the folder is gone.
    admission judge(life_reader const& read_life, marks_reader const& read_marks);

    /// Remembers that numbers up to this ordinal were issued; judge() has admitted their database.
    /// Throws journal_failure: then they must not be answered, and every further call throws until
    /// judge() could write it. Any thread; some microseconds.
    void note(series_mark const& mark);

    /// What this instance noted of a series; the turn only if it was admitted to this epoch. Any
    /// thread; does not wait for the disk.
    series_mark noted(std::int32_t series_id, std::int32_t epoch);

    /// Waits until the disk has what was noted so far. Throws journal_failure, as note(). Any
    /// thread but the I/O thread.
    void flush();

    /// True when a folder holds a journal of a database, or of another copy of it. Throws
    /// journal_failure.
    static bool is_kept_in(std::filesystem::path const& folder, database_life const& life);

    /// What the journals of a folder know about a database, the highest mark of each series; then
    /// the database's own marks, into `present`. Files may be in use. Throws journal_failure.
    static std::vector<series_mark> read(
        std::filesystem::path const& folder,
        database_life const& life,
        marks_reader const& read_marks,
        std::vector<series_mark>& present
    );

    /// The content of each journal that a folder has of this database of a server, in name order.
    /// Files may be in use. Throws journal_failure.
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
        std::vector<std::filesystem::path> const& files, int voided_epoch
    );
    void forget_voided_turns();
    void open_own(std::string const& name);
    void keep(std::int32_t series_id, record const& kept);
    static std::int64_t moment_beyond(record const& kept, series_mark const& mark);
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
    std::string name_;           // of the last checked database's files, without number
    std::shared_ptr<file> own_;  // null before the first check of a database
    bool dirty_{};
    std::string broken_;  // why the disk refused it; no answers until mend() succeeds
    std::vector<std::pair<std::int32_t, record>> unwritten_;  // what the disk refused
    std::jthread syncing_;
};

}  // namespace gapless
