#pragma once

#include "issuing/journal.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <sys/types.h>

/// The format of a journal file; only journal.cpp and journal_file.cpp include it.
namespace gapless {

/// A record as it is written; the CRC covers every byte except the CRC itself.
struct journal::record
{
    std::uint32_t crc{};
    std::uint32_t kind{};
    std::uint64_t version{};
    std::int32_t series_id{};  // 0: about the database; no series has this id
    std::int32_t turn{};
    std::int64_t ordinal{};  // of the database: when its epoch began, as issued_at; 0: not known
    union {
        std::int64_t system_identifier{};  // of the database only, like epoch
        // Of a series only: when its latest number was issued, in µs since 1970 by the database's
        // clock; 0: not known.
        std::int64_t issued_at;
    };
    std::int32_t epoch{};
    // Of the database: of this file and its copies. Of a series: series_mark::next_serial, first.
    std::array<unsigned char, 16> id{};
    std::array<char, 4> unused{};

    std::uint32_t checksum() const noexcept;
    std::int64_t next_serial() const noexcept;
    void set_next_serial(std::int64_t serial) noexcept;
};

struct journal::slot
{
    off_t place{};
    record latest{};
};

/// An open journal file.
struct journal::file
{
    /// Opens a file; creates it if it is writable. Throws journal_failure.
    file(std::filesystem::path name, bool writable);
    ~file();
    file(file const&) = delete;
    file& operator=(file const&) = delete;

    /// Locks the file until it is closed. Returns false if another instance has locked it.
    bool lock() const noexcept;

    /// Reads all records. Throws journal_failure if one is damaged.
    void load();

    /// Writes the next version of a record.
    void keep(std::int32_t series_id, record const& kept);

    record about_database() const;

    /// The id as a UUID; empty: it has none yet, because no database was admitted.
    std::string id() const;

    /// The mark noted for each series.
    std::vector<series_mark> marks() const;

    [[noreturn]] void fail(std::string const& what) const;

    std::filesystem::path name;
    int handle{-1};
    std::map<std::int32_t, slot> slots;
};

}  // namespace gapless
