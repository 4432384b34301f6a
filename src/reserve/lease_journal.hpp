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

/// A journal of leases that cannot be read or written; names the file and the way out.
struct lease_journal_failure : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// What is written; each is one record. Sequences number the records `left` of a file: 1, 2, 3 ….
namespace lease_note {

struct claiming  // before lease_claim: repeats it under the same id when its answer is lost
{
    lease_id claim;
    std::optional<instance_secret> secret{};  // none: of before there were secrets
};
struct claimed  // the incarnation that the database gave
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
struct closed  // before lease_return: nothing of it is drawn any more
{
    lease_id lease;
};
struct returned  // the database has it back, or never gave it
{
    lease_id lease;
};

struct heard  // somebody else may have numbers on lease, or had
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
    std::int64_t wanted{};             // numbers that were asked for
    std::optional<lease_grant> grant;  // none: whether the database granted it is not known here
    bool closed{};
};

/// Which answers are read.
enum class lease_answers
{
    unsettled = 1,
    all,       // a database that was put back has forgotten what it was told
    salvaged,  // all, also of a file whose header is damaged: nothing tells whose they are
};

/// What a file says.
struct lease_journal_content
{
    std::string database;  // its id: the same in all epochs and copies
    lease_id instance;
    std::int32_t incarnation{};             // 0: never claimed
    std::optional<lease_id> claim;          // one whose answer was not noted
    std::optional<instance_secret> secret;  // none: never claimed, damaged, or of before secrets
    std::vector<journaled_lease> leases;
    std::map<lease_id, std::int32_t> series_of;  // each lease, returned ones included
    std::vector<unsettled_answer> unsettled;     // in the order of their sequences
    std::vector<lease_note::heard> heard;        // each instance once, with its latest moment
    std::uint64_t next_sequence{1};
    std::string damage;  // where a bad record stands before a valid one; empty: nowhere
    bool original{};     // this file is the very one that was created (device and inode)
    bool same_boot{};    // since it was created the host has not been started anew
};

/// The journal of leases of one instance and one database, <database>-<instance>.lease in the
/// folder of the journals: mode 0600, locked while it is open. Header: magic, version, database,
/// instance, boot id (/proc/sys/kernel/random/boot_id), device and inode. Only whole records count:
/// a bad one is the end of what was written. Where valid ones stand behind it, it is damage: they
/// are read as well, so that what left is settled, but nothing of such a file may be returned.
///
/// One thread at a time; blocks for the disk.
class lease_journal
{
public:
    /// A file that is larger is none of ours, and is not read: it may have no end.
    static constexpr std::uint64_t bytes_max = std::uint64_t{4} << 30;

    /// The files of the folder for that database, in the order of their names.
    static std::vector<std::filesystem::path> find(
        std::filesystem::path const& folder, std::string const& database
    );

    /// A new file. Throws lease_journal_failure, also on a network file system.
    static std::unique_ptr<lease_journal> create(
        std::filesystem::path const& folder, std::string const& database, lease_id const& instance
    );

    /// An existing file, flushed before it is read: its last records may be in memory only. Null
    /// when another process has it. Throws lease_journal_failure.
    static std::unique_ptr<lease_journal> open(std::filesystem::path const& file);

    /// Reads a file without locking it, as far as it was written; `wanted` says which answers its
    /// content has. Throws lease_journal_failure.
    static lease_journal_content read(
        std::filesystem::path const& file, lease_answers wanted = lease_answers::unsettled
    );

    ~lease_journal();
    lease_journal(lease_journal const&) = delete;
    lease_journal& operator=(lease_journal const&) = delete;

    /// What the file said when it was opened.
    lease_journal_content const& content() const noexcept { return content_; }

    std::filesystem::path const& file() const noexcept { return file_; }

    /// Has the disk give the space of so many bytes of records beyond what is written. Throws
    /// lease_journal_failure.
    void make_room(std::uint64_t bytes);

    /// Writes records at the end. They count once flush() has returned. Throws
    /// lease_journal_failure; from then on every call throws.
    void append(std::string_view records);
    void flush();

    /// Bytes of header and records.
    std::uint64_t size() const noexcept { return end_; }

    /// Everything in it is settled and returned: renames it to <name>.<moment>.settled, which is
    /// kept. Throws lease_journal_failure.
    void retire();

    /// Removes retired files that are older than 30 days. Throws nothing.
    static void remove_old(std::filesystem::path const& folder) noexcept;

private:
    lease_journal(std::filesystem::path file, int handle);

    /// Throws once a write has failed.
    void require_whole() const;

    std::filesystem::path file_;
    int handle_{-1};
    std::uint64_t end_{};   // where the next record goes
    std::uint64_t room_{};  // bytes of the file on the disk
    bool broken_{};
    lease_journal_content content_;
};

}  // namespace gapless
