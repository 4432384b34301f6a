#include "base/contract.hpp"
#include "reserve/lease_layout.hpp"
#include "reserve/lease_records.hpp"

#include <array>
#include <type_traits>
#include <utility>

namespace gapless {

namespace {

using namespace lease_layout;

/// Appends an integer, lowest byte first.
template <class Integer>
void put(std::string& bytes, Integer value)
{
    auto rest = static_cast<std::make_unsigned_t<Integer>>(value);
    std::array<char, sizeof value> digits;
    for (auto& digit : digits)
    {
        digit = static_cast<char>(rest & 0xff);
        rest = static_cast<decltype(rest)>(rest >> 7 >> 1);
    }
    bytes.append(digits.data(), digits.size());
}

template <std::size_t Size>
void put(std::string& bytes, std::array<unsigned char, Size> const& value)
{
    bytes.append(reinterpret_cast<char const*>(value.data()), value.size());
}

/// Writes what precedes the body on construction, and the CRC once the record is complete.
class record_writer
{
public:
    explicit record_writer(kind kind)
    {
        put(bytes, std::uint32_t{0});
        put(bytes, static_cast<std::uint8_t>(kind));
    }

    std::string finish()
    {
        std::string length;
        put(length, static_cast<std::uint32_t>(bytes.size() + crc_bytes - frame_bytes));
        bytes.replace(0, length_bytes, length);
        put(bytes, crc_of(bytes));
        ensure(bytes.size() <= lease_record_bytes_max, "a record of a lease has its limit");
        return std::move(bytes);
    }

    std::string bytes;
};

std::string encode_id(kind kind, lease_id const& id)
{
    record_writer record{kind};
    put(record.bytes, id.bytes);
    return record.finish();
}

}  // namespace

std::string encode(lease_note::claiming const& note)
{
    record_writer record{kind::claiming};
    put(record.bytes, note.claim.bytes);
    if (note.secret)
        put(record.bytes, *note.secret);
    return record.finish();
}

std::string encode(lease_note::claimed const& note)
{
    record_writer record{kind::claimed};
    // 8 bytes, so that no record fits into the 16 bytes of a key, which a client chooses.
    put(record.bytes, std::int64_t{note.incarnation});
    return record.finish();
}

std::string encode(lease_note::intent const& note)
{
    record_writer record{kind::intent};
    put(record.bytes, note.lease.bytes);
    put(record.bytes, note.series_id);
    put(record.bytes, note.count);
    return record.finish();
}

std::string encode(lease_note::granted const& note)
{
    record_writer record{kind::granted};
    put(record.bytes, note.grant.lease.bytes);
    put(record.bytes, note.grant.series_id);
    put(record.bytes, note.grant.block_id);
    put(record.bytes, note.grant.epoch);
    put(record.bytes, note.grant.ordinal);
    put(record.bytes, note.grant.serial);
    put(record.bytes, note.grant.count);
    return record.finish();
}

std::string encode(lease_note::left const& note, std::uint64_t sequence)
{
    auto const& left = note.left;
    record_writer record{kind::left};
    record.bytes.reserve(96 + (left.reference ? left.reference->size() : 0));
    put(record.bytes, sequence);
    put(record.bytes, note.lease.bytes);
    put(record.bytes, left.ordinal);
    put(record.bytes, left.count);
    put(record.bytes, left.owner_id);
    put(record.bytes, left.key.bytes);
    put(record.bytes, std::int64_t{left.answered_at.time_since_epoch().count()});
    put(record.bytes, static_cast<std::uint8_t>(left.reference ? 1 : 0));
    if (left.reference)
    {
        ensure(
            left.reference->size() <= lease_reference_bytes_max,
            "a reference in the journal of leases has its limit"
        );
        record.bytes += *left.reference;
    }
    return record.finish();
}

std::string encode(lease_note::settled const& note)
{
    record_writer record{kind::settled};
    put(record.bytes, note.sequence);
    return record.finish();
}

std::string encode(lease_note::closed const& note)
{
    return encode_id(kind::closed, note.lease);
}

std::string encode(lease_note::returned const& note)
{
    return encode_id(kind::returned, note.lease);
}

std::string encode(lease_note::heard const& note)
{
    record_writer record{kind::heard};
    put(record.bytes, note.instance.bytes);
    put(record.bytes, std::int64_t{note.moment.time_since_epoch().count()});
    return record.finish();
}

std::string encode(lease_journal_header const& header)
{
    ensure(
        !header.database.empty() &&
            header.database.size() <= lease_journal_header::database_bytes_max &&
            header.database.find('/') == std::string::npos,
        "a journal of leases names its database"
    );
    std::string bytes{magic};
    put(bytes, layout_version);
    put(bytes, static_cast<std::uint8_t>(header.database.size()));
    bytes += header.database;
    bytes.append(lease_journal_header::database_bytes_max - header.database.size(), '\0');
    put(bytes, header.instance.bytes);
    put(bytes, header.boot.bytes);
    put(bytes, header.device);
    put(bytes, header.inode);
    put(bytes, crc_of(bytes));
    ensure(bytes.size() == lease_journal_header::bytes, "the header of a journal has its size");
    return bytes;
}

}  // namespace gapless
