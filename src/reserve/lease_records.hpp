#pragma once

#include "reserve/lease_journal.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

/// The bytes of a journal of leases; docs/design/reserve.md has them as a table. Only the files of
/// lease_journal and tests include it. No I/O.
namespace gapless {

/// The header before the records.
struct lease_journal_header
{
    std::string database;  // 1..database_bytes_max bytes, no '/'
    lease_id instance;
    lease_id boot;           // of the host, when the file was created
    std::uint64_t device{};  // of the file that was created
    std::uint64_t inode{};

    static constexpr std::size_t bytes = 128;
    static constexpr std::size_t database_bytes_max = 63;

    friend bool operator==(lease_journal_header const&, lease_journal_header const&) = default;
};

std::string encode(lease_journal_header const& header);

/// The header at the start of a file; nullopt if the file is not ours or the header is damaged.
std::optional<lease_journal_header> read_lease_header(std::string_view bytes) noexcept;

/// A `left` record with its sequence.
struct sequenced_left
{
    std::uint64_t sequence{};
    lease_note::left note;
};

using any_lease_note = std::variant<
    lease_note::claiming,
    lease_note::claimed,
    lease_note::intent,
    lease_note::granted,
    sequenced_left,
    lease_note::settled,
    lease_note::closed,
    lease_note::returned,
    lease_note::heard>;

struct lease_record
{
    any_lease_note note;
    std::size_t bytes{};  // of the whole record
};

inline constexpr std::size_t lease_reference_bytes_max = 1'020;  // 255 characters of UTF-8
inline constexpr std::size_t lease_record_bytes_max = 1'100;

/// The record at the start of these bytes; nullopt if there is no whole one, its CRC is wrong, or
/// our writer never writes such values.
std::optional<lease_record> read_lease_record(std::string_view bytes);

/// The content of a whole file, except whether it is the original and of this boot.
struct read_lease_file
{
    lease_journal_header header;
    lease_journal_content content;
    std::size_t end{};     // end of the last valid record
    std::uint64_t rest{};  // numbers of its open leases that no answer has
    std::uint64_t room{};  // the least size of the file: its open leases were given that room
};

/// Reads a file's bytes; zeros at the end may be left out. Nullopt: it has no header of ours.
std::optional<read_lease_file> read_lease_bytes(
    std::string_view bytes, lease_answers wanted = lease_answers::unsettled
);

}  // namespace gapless
