#include "base/limits.hpp"
#include "reserve/lease_layout.hpp"
#include "reserve/lease_records.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace gapless {

namespace {

using namespace lease_layout;

constexpr std::uint64_t sequence_max = std::numeric_limits<std::int64_t>::max();

/// Takes values from the front. Once bytes run out, no value counts any more.
class source
{
public:
    explicit source(std::string_view bytes) noexcept : rest_{bytes} {}

    template <class Integer>
    Integer take() noexcept
    {
        std::make_unsigned_t<Integer> value = 0;
        auto const bytes = take_bytes(sizeof value);
        for (std::size_t n = bytes.size(); n-- > 0;)
            value = static_cast<decltype(value)>(
                value << 7 << 1 | static_cast<unsigned char>(bytes[n])
            );
        return static_cast<Integer>(value);
    }

    template <std::size_t Size>
    std::array<unsigned char, Size> take_array() noexcept
    {
        std::array<unsigned char, Size> value{};
        std::ranges::copy(take_bytes(value.size()), value.begin());
        return value;
    }

    std::array<unsigned char, 16> take_id() noexcept { return take_array<16>(); }

    std::string_view take_bytes(std::size_t count) noexcept
    {
        good_ = good_ && count <= rest_.size();
        if (!good_)
            return {};
        auto const taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }

    std::string_view take_rest() noexcept { return std::exchange(rest_, {}); }

    /// Whether every value was there and no byte is left over.
    bool is_used_up() const noexcept { return good_ && rest_.empty(); }

private:
    std::string_view rest_;
    bool good_{true};
};

database_time to_time(std::int64_t microseconds) noexcept
{
    return database_time{std::chrono::microseconds{microseconds}};
}

bool is_run(std::int64_t first, std::int64_t count, std::int64_t count_most) noexcept
{
    return first >= 0 && count >= 1 && count <= count_most &&
           first <= std::numeric_limits<std::int64_t>::max() - count;
}

std::optional<any_lease_note> read_intent(source& body)
{
    lease_note::intent note;
    note.lease = {body.take_id()};
    note.series_id = body.take<std::int32_t>();
    note.count = body.take<std::int64_t>();
    if (!is_run(0, note.count, lease_numbers_max))
        return std::nullopt;
    return note;
}

std::optional<any_lease_note> read_granted(source& body)
{
    lease_grant grant;
    grant.lease = {body.take_id()};
    grant.series_id = body.take<std::int32_t>();
    grant.block_id = body.take<std::int32_t>();
    grant.epoch = body.take<std::int32_t>();
    grant.ordinal = body.take<std::int64_t>();
    grant.serial = body.take<std::int64_t>();
    grant.count = body.take<std::int64_t>();
    if (!is_run(grant.ordinal, grant.count, lease_numbers_max) ||
        !is_run(grant.serial, grant.count, lease_numbers_max))
        return std::nullopt;
    return lease_note::granted{grant};
}

std::optional<any_lease_note> read_left(source& body)
{
    sequenced_left record;
    auto& left = record.note.left;
    record.sequence = body.take<std::uint64_t>();
    record.note.lease = {body.take_id()};
    left.ordinal = body.take<std::int64_t>();
    left.count = body.take<std::int32_t>();
    left.owner_id = body.take<std::int32_t>();
    left.key = {body.take_id()};
    left.answered_at = to_time(body.take<std::int64_t>());
    auto const has_reference = body.take<std::uint8_t>();
    auto const reference = body.take_rest();
    if (has_reference == 1)
        left.reference = std::string{reference};
    if (record.sequence == 0 || record.sequence > sequence_max ||
        !is_run(left.ordinal, left.count, count_max) || has_reference > 1 ||
        (has_reference == 0 && !reference.empty()))
        return std::nullopt;
    return record;
}

std::optional<any_lease_note> read_note(kind kind, source& body)
{
    switch (kind)
    {
    case kind::claiming: {
        lease_note::claiming note{.claim = {body.take_id()}, .secret = {}};
        if (!body.is_used_up())
            note.secret = body.take_array<sizeof(instance_secret)>();
        return note;
    }
    case kind::claimed: {
        auto const incarnation = body.take<std::int64_t>();
        if (incarnation < 0 || incarnation > std::numeric_limits<std::int32_t>::max())
            return std::nullopt;
        return lease_note::claimed{static_cast<std::int32_t>(incarnation)};
    }
    case kind::intent: return read_intent(body);
    case kind::granted: return read_granted(body);
    case kind::left: return read_left(body);
    case kind::settled: return lease_note::settled{body.take<std::uint64_t>()};
    case kind::closed: return lease_note::closed{{body.take_id()}};
    case kind::returned: return lease_note::returned{{body.take_id()}};
    case kind::heard: {
        lease_note::heard note{.instance = {body.take_id()}, .moment = {}};
        note.moment = to_time(body.take<std::int64_t>());
        return note;
    }
    }
    return std::nullopt;
}

}  // namespace

std::optional<lease_record> read_lease_record(std::string_view bytes)
{
    if (bytes.size() < frame_bytes)
        return std::nullopt;
    source frame{bytes};
    std::size_t const length = frame.take<std::uint32_t>();
    auto const kind = frame.take<std::uint8_t>();
    if (length > lease_record_bytes_max - frame_bytes || length + frame_bytes > bytes.size() ||
        kind < static_cast<std::uint8_t>(kind::claiming) ||
        kind > static_cast<std::uint8_t>(kind::heard))
        return std::nullopt;
    source body{frame.take_bytes(length)};
    if (frame.take<std::uint32_t>() != crc_of(bytes.substr(0, length_bytes + 1 + length)))
        return std::nullopt;
    auto note = read_note(static_cast<enum kind>(kind), body);
    if (!note || !body.is_used_up())
        return std::nullopt;
    return lease_record{std::move(*note), length + frame_bytes};
}

std::optional<lease_journal_header> read_lease_header(std::string_view bytes) noexcept
{
    if (bytes.size() < lease_journal_header::bytes)
        return std::nullopt;
    auto const checked = bytes.substr(0, lease_journal_header::bytes - crc_bytes);
    source fields{bytes.substr(0, lease_journal_header::bytes)};
    if (fields.take_bytes(magic.size()) != magic || fields.take<std::uint32_t>() != layout_version)
        return std::nullopt;
    auto const length = fields.take<std::uint8_t>();
    auto const database = fields.take_bytes(lease_journal_header::database_bytes_max);
    if (length == 0 || length > database.size())
        return std::nullopt;
    lease_journal_header header;
    header.database = std::string{database.substr(0, length)};
    header.instance = {fields.take_id()};
    header.boot = {fields.take_id()};
    header.device = fields.take<std::uint64_t>();
    header.inode = fields.take<std::uint64_t>();
    if (fields.take<std::uint32_t>() != crc_of(checked))
        return std::nullopt;
    return header;
}

}  // namespace gapless
