#pragma once

#include "reserve/lease.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// A journal of leases that cannot be read or written; the message names the file and the way out.
struct lease_journal_failure : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// The notes; each is one record. Sequences number the records `left` of a file: 1, 2, 3 ….
namespace lease_note {

struct claiming  // before lease_claim: repeats it under the same id if its answer is lost
{
    lease_id claim;
    std::optional<instance_secret> secret{};  // none: written before secrets existed
};
struct claimed  // the incarnation that the database assigned
{
    std::int32_t incarnation{};
};
struct intent  // before lease_take
{
    lease_id lease;
    std::int32_t series_id{};
    std::int64_t count{};
};
struct granted
{
    lease_grant grant;
};
struct left  // before the answer
{
    lease_id lease;
    lease_left left;
};
struct settled  // everything up to that sequence is in the database
{
    std::uint64_t sequence{};
};
struct closed  // before lease_return: nothing more of it is drawn
{
    lease_id lease;
};
struct returned  // the database has it back, or never granted it
{
    lease_id lease;
};

struct heard  // another instance may have numbers on lease, or had
{
    lease_id instance;
    database_time moment;  // of its contact with the database
};

}  // namespace lease_note

/// A record as bytes: length, kind, body, CRC-32. Integers are little-endian.
std::string encode(lease_note::claiming const& note);
std::string encode(lease_note::claimed const& note);
std::string encode(lease_note::intent const& note);
std::string encode(lease_note::granted const& note);
std::string encode(lease_note::left const& note, std::uint64_t sequence);
std::string encode(lease_note::settled const& note);
std::string encode(lease_note::closed const& note);
std::string encode(lease_note::returned const& note);
std::string encode(lease_note::heard const& note);

/// An answer that the database may not know yet.
struct unsettled_answer
{
    std::uint64_t sequence{};
    lease_id lease;
    lease_left left;
};

/// A lease that was not returned.
struct journaled_lease
{
    lease_id lease;
    std::int32_t series_id{};
    std::int64_t wanted{};             // numbers requested
    std::optional<lease_grant> grant;  // none: it is not known here whether the database granted it
    bool closed{};
};

/// Which answers to read.
enum class lease_answers
{
    unsettled = 1,
    all,       // all, since a database that was put back forgot what it was told
    salvaged,  // all, also if the header is damaged: then nothing tells whose they are
};

/// The content of a file.
struct lease_journal_content
{
    std::string database;  // its id: the same in all epochs and copies
    lease_id instance;
    std::int32_t incarnation{};             // 0: never claimed
    std::optional<lease_id> claim;          // a claim whose answer was not noted
    std::optional<instance_secret> secret;  // none: never claimed, damaged, or older than secrets
    std::vector<journaled_lease> leases;
    std::map<lease_id, std::int32_t> series_of;  // of each lease, returned ones included
    std::vector<unsettled_answer> unsettled;     // ordered by sequence
    std::vector<lease_note::heard> heard;        // each instance once, with its latest moment
    std::uint64_t next_sequence{1};
    std::string damage;  // a bad record before a valid one, or bytes that are gone; empty: none
    bool original{};     // this file is the very one that was created (device and inode)
    bool same_boot{};    // the host was not rebooted since the file was created
};

/// Room that a file gets for each number of a lease, before the lease is taken: a record of an
/// answer with key and reference; most references are short.
inline constexpr std::uint64_t lease_room_bytes = 160;

/// The journal of leases of one instance and one database, <database>-<instance>.lease in the
/// journals' folder: mode 0600, locked while it is open. Header: magic, version, database,
/// instance, boot id (/proc/sys/kernel/random/boot_id), device and inode. Only whole records count:
/// a bad one ends the file. If valid records follow it, the file is damaged: they are read as well,
/// so that issued numbers are settled, but nothing of such a file may be returned.
///
/// One thread at a time; blocks on the disk.
class lease_journal
{
public:
    /// A larger file is none of ours and is not read: it may never end.
    static constexpr std::uint64_t bytes_max = std::uint64_t{4} << 30;

    /// The files of the folder for that database, in name order.
    static std::vector<std::filesystem::path> find(
        std::filesystem::path const& folder, std::string const& database
    );

    /// Creates a file. Throws lease_journal_failure, also on a network file system.
    static std::unique_ptr<lease_journal> create(
        std::filesystem::path const& folder, std::string const& database, lease_id const& instance
    );

    /// Opens an existing file and flushes it before reading: its last records may only be in
    /// memory. Null if another process has it. Throws lease_journal_failure.
    static std::unique_ptr<lease_journal> open(std::filesystem::path const& file);

    /// Reads a file without locking it, as far as it was written; `wanted` selects the answers to
    /// include. Throws lease_journal_failure.
    static lease_journal_content read(
        std::filesystem::path const& file, lease_answers wanted = lease_answers::unsettled
    );

    ~lease_journal();
    lease_journal(lease_journal const&) = delete;
    lease_journal& operator=(lease_journal const&) = delete;

    /// The file's content when it was opened.
    lease_journal_content const& content() const noexcept { return content_; }

    std::filesystem::path const& file() const noexcept { return file_; }

    /// Allocates disk space for that many bytes of records, after what is written and what the open
    /// leases may still need. Reads the file. Throws lease_journal_failure.
    void make_room(std::uint64_t bytes);

    /// Writes records at the end. They count once flush() has returned. Throws
    /// lease_journal_failure; from then on every call throws.
    void append(std::string_view records);
    void flush();

    /// Bytes of header and records.
    std::uint64_t size() const noexcept { return end_; }

    /// Renames the file, in which everything is settled and returned, to <name>.<moment>.settled
    /// and keeps it. Throws lease_journal_failure.
    void retire();

    /// Removes retired files that are older than 30 days. Never throws.
    static void remove_old(std::filesystem::path const& folder) noexcept;

private:
    lease_journal(std::filesystem::path file, int handle);

    /// Throws once a write has failed.
    void require_whole() const;

    std::filesystem::path file_;
    int handle_{-1};
    std::uint64_t end_{};   // where the next record is written
    std::uint64_t room_{};  // allocated for the file on disk
    bool broken_{};
    lease_journal_content content_;
};

}  // namespace gapless
