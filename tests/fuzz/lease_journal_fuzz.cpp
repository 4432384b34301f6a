#include "fuzz/fuzz.hpp"
#include "reserve/lease_records.hpp"

#include <vector>

using namespace gapless;
using namespace gapless::test;

namespace {

/// Whatever the bytes are, what is read of them holds together.
void check_any_file(std::string_view bytes)
{
    auto const file = read_lease_bytes(bytes);
    if (!file)
        return;
    expect(
        encode(file->header) == bytes.substr(0, file->header.bytes), "a header has one spelling"
    );
    expect(file->end >= file->header.bytes && file->end <= bytes.size(), "it ends within the file");
    std::uint64_t before = 0;
    for (auto const& one : file->content.unsettled)
    {
        expect(one.sequence > before, "sequences grow");
        before = one.sequence;
    }
    expect(before < file->content.next_sequence, "the next sequence is behind all");
    auto const again = read_lease_bytes(bytes.substr(0, file->end));
    expect(again && again->end == file->end, "what stands behind the end counts for nothing");
    auto const space =
        read_lease_bytes(std::string{bytes.substr(0, file->end)} + std::string(40, '\0'));
    expect(space && space->content.damage == file->content.damage, "zeros behind it are space");
}

lease_id id_of(fuzz_input& input)
{
    lease_id id;
    for (auto& byte : id.bytes)
        byte = static_cast<unsigned char>(input.byte());
    return id;
}

std::int64_t number(fuzz_input& input)
{
    std::int64_t value = 0;
    for (int n = 0; n < 5; ++n)
        value = value << 8 | input.byte();
    return value;
}

/// Records of ours, chosen by the input.
std::vector<std::string> own_records(fuzz_input& input)
{
    std::vector<std::string> records;
    for (std::uint64_t sequence = 1; !input.rest().empty() && records.size() < 20;)
        switch (input.byte() % 9)
        {
        case 0:
            records.push_back(encode(lease_note::claiming{id_of(input), instance_secret{}}));
            break;
        case 1:
            records.push_back(encode(lease_note::claimed{static_cast<std::int32_t>(input.byte())}));
            break;
        case 2:
            records.push_back(encode(lease_note::intent{id_of(input), 1, 1 + input.byte()}));
            break;
        case 3:
            records.push_back(encode(lease_note::granted{
                {.lease = id_of(input),
                 .series_id = 1,
                 .block_id = 2,
                 .epoch = 3,
                 .ordinal = number(input),
                 .serial = number(input),
                 .count = 1 + static_cast<std::int64_t>(input.byte())}}));
            break;
        case 4: {
            lease_note::left note{.lease = id_of(input)};
            note.left.ordinal = number(input);
            note.left.count = 1 + static_cast<std::int32_t>(input.byte());
            note.left.key = {id_of(input).bytes};
            note.left.answered_at = database_time{std::chrono::microseconds{number(input)}};
            if (input.byte() % 2 == 1)
                note.left.reference = input.line();
            if (note.left.reference && note.left.reference->size() > lease_reference_bytes_max)
                note.left.reference->resize(lease_reference_bytes_max);
            records.push_back(encode(note, sequence++));
            break;
        }
        case 5: records.push_back(encode(lease_note::settled{input.byte() % 8})); break;
        case 6: records.push_back(encode(lease_note::closed{id_of(input)})); break;
        case 7: records.push_back(encode(lease_note::returned{id_of(input)})); break;
        default:
            records.push_back(encode(lease_note::heard{
                id_of(input), database_time{std::chrono::microseconds{number(input)}}}));
        }
    return records;
}

/// Whether bytes inside of a record look like one: the input may make a key so, or a reference.
bool holds_another(std::string_view record)
{
    for (std::size_t at = 1; at < record.size(); ++at)
        if (read_lease_record(record.substr(at)))
            return true;
    return false;
}

/// Where the last record begins that begins at that place or before it.
std::size_t start_before(
    std::vector<std::string> const& records, std::size_t first, std::size_t place
)
{
    for (auto const& record : records)
    {
        if (first + record.size() > place)
            break;
        first += record.size();
    }
    return first;
}

/// A file of ours is read whole; torn anywhere, it is read up to the last whole record, and with a
/// changed byte before others it is damaged.
void check_own_file(fuzz_input& input)
{
    auto const place = static_cast<std::size_t>(input.byte()) << 8 | input.byte();
    auto const change = static_cast<char>(input.byte() | 1);
    auto const records = own_records(input);
    auto const header = encode(lease_journal_header{.database = "db-1"});
    auto whole = header;
    for (auto const& record : records)
    {
        auto const one = read_lease_record(record);
        expect(one && one->bytes == record.size(), "a record of ours is read");
        whole += record;
    }
    auto const file = read_lease_bytes(whole);
    expect(file && file->end == whole.size() && file->content.damage.empty(), "so is a file");
    if (records.empty())
        return;

    auto const at = header.size() + place % (whole.size() - header.size());
    auto const rest = std::string_view{whole}.substr(0, at);
    auto const torn = read_lease_bytes(rest);
    auto const torn_record = rest.substr(start_before(records, header.size(), at));
    expect(torn && torn->end <= at, "a torn file ends where it was torn");
    expect(torn->content.damage.empty() != holds_another(torn_record), "a torn file is no damage");
    auto changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ change);
    auto const bad = read_lease_bytes(changed);
    auto const last = whole.size() - records.back().size();
    auto const others = at < last || holds_another(std::string_view{changed}.substr(last));
    expect(bad && bad->content.damage.empty() != others, "a bad record before others is");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    fuzz_input input{data, size};
    if (size > 0 && data[0] < 32)
    {
        input.byte();
        check_own_file(input);
    }
    else
        check_any_file(input.rest());
    return 0;
}
