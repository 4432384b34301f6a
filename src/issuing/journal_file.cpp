#include "issuing/journal_file.hpp"

#include <boost/crc.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/file.h>
#include <type_traits>
#include <unistd.h>

namespace gapless {

namespace {

constexpr std::uint32_t magic = 0x4C504731;  // "1GPL"
constexpr off_t record_bytes = 64;

template <class Record>
std::optional<Record> latest_of(int handle, off_t place)
{
    static_assert(sizeof(Record) == record_bytes && std::is_trivially_copyable_v<Record>);
    std::optional<Record> best;
    for (int half = 0; half < 2; ++half)
    {
        Record one{};
        if (::pread(handle, &one, sizeof one, place + half * record_bytes) != record_bytes)
            continue;
        if (one.kind == magic && one.crc == one.checksum() &&
            (!best || one.version > best->version))
            best = one;
    }
    return best;
}

/// Whether a slot from there on is there as a whole and not empty. Writes that were torn leave
/// less, or zeros where the file grew before its bytes came.
bool is_any_written(int handle, off_t place)
{
    std::array<char, 2 * record_bytes> bytes{};
    for (; ::pread(handle, bytes.data(), bytes.size(), place) == 2 * record_bytes;
         place += 2 * record_bytes)
        if (std::ranges::any_of(bytes, [](char byte) { return byte != 0; }))
            return true;
    return false;
}

}  // namespace

std::uint32_t journal::record::checksum() const noexcept
{
    boost::crc_32_type sum;
    auto const* const bytes = reinterpret_cast<char const*>(this);
    sum.process_bytes(bytes + sizeof crc, sizeof(record) - sizeof crc);
    return sum.checksum();
}

std::int64_t journal::record::next_serial() const noexcept
{
    std::int64_t serial = 0;
    std::memcpy(&serial, id.data(), sizeof serial);
    return serial;
}

void journal::record::set_next_serial(std::int64_t serial) noexcept
{
    std::memcpy(id.data(), &serial, sizeof serial);
}

journal::file::file(std::filesystem::path path, bool writable) : name{std::move(path)}
{
    auto const mode = writable ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC;
    handle = ::open(name.c_str(), mode, 0600);
    if (handle < 0)
        fail(std::strerror(errno));
}

journal::file::~file()
{
    ::close(handle);
}

bool journal::file::lock() const noexcept
{
    return ::flock(handle, LOCK_EX | LOCK_NB) == 0;
}

void journal::file::fail(std::string const& what) const
{
    throw journal_failure{"journal " + name.string() + ": " + what};
}

void journal::file::load()
{
    auto const size = ::lseek(handle, 0, SEEK_END);
    for (off_t place = 0; place < size; place += 2 * record_bytes)
    {
        auto const latest = latest_of<record>(handle, place);
        if (!latest && !is_any_written(handle, place))
            break;  // first writes of series were torn, so nothing was answered on them
        if (!latest)
            fail(
                "it is damaged at byte " + std::to_string(place) +
                "; read docs/operations/backup.md, 'After a restore', before you put it away"
            );
        slots[latest->series_id] = {place, *latest};
    }
}

void journal::file::keep(std::int32_t series_id, record const& kept)
{
    auto const end = static_cast<off_t>(slots.size()) * 2 * record_bytes;
    auto const known = slots.find(series_id);
    auto next = known == slots.end() ? slot{end, {}} : known->second;
    auto const version = next.latest.version + 1;
    next.latest = kept;
    next.latest.kind = magic;
    next.latest.series_id = series_id;
    next.latest.version = version;
    next.latest.crc = next.latest.checksum();
    auto const write = [&](off_t half) {
        auto const place = next.place + half * record_bytes;
        if (::pwrite(handle, &next.latest, sizeof next.latest, place) != record_bytes)
            fail(std::strerror(errno));
    };
    // The first write fills both halves, so that a slot always has its full size.
    if (version == 1)
        write(0);
    write(static_cast<off_t>(version & 1U));
    slots[series_id] = next;
}

journal::record journal::file::about_database() const
{
    auto const found = slots.find(0);
    return found == slots.end() ? record{} : found->second.latest;
}

std::string journal::file::id() const
{
    auto const bytes = about_database().id;
    if (std::ranges::all_of(bytes, [](unsigned char byte) { return byte == 0; }))
        return {};
    std::string text;
    for (std::size_t n = 0; n < bytes.size(); ++n)
    {
        if (n == 4 || n == 6 || n == 8 || n == 10)
            text += '-';
        constexpr std::string_view digits = "0123456789abcdef";
        text += digits[bytes[n] >> 4];
        text += digits[bytes[n] & 15];
    }
    return text;
}

std::vector<series_mark> journal::file::marks() const
{
    std::vector<series_mark> all;
    for (auto const& [series_id, slot] : slots)
        if (series_id != 0)
        {
            series_mark::moment const at{std::chrono::microseconds{slot.latest.issued_at}};
            all.push_back(
                {.series_id = series_id,
                 .ordinal = slot.latest.ordinal,
                 .turn = slot.latest.turn,
                 .ordinal_at = at,
                 .turn_at = at,
                 .next_serial = slot.latest.next_serial()}
            );
        }
    return all;
}

}  // namespace gapless
