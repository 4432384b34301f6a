#include "base/contract.hpp"
#include "reserve/lease_records.hpp"
#include "reserve/leases.hpp"
#include "reserve/local_disk.hpp"

#include <limits>
#include <vector>

namespace lease_records_test {

using namespace gapless;
using namespace gapless::test;

lease_journal_header header_of()
{
    return {
        .database = "db-1",
        .instance = id_of(9),
        .boot = id_of(8),
        .device = 77,
        .inode = 1ULL << 40};
}

/// A file of these records.
std::string file_of(std::vector<std::string> const& records)
{
    auto bytes = encode(header_of());
    for (auto const& record : records)
        bytes += record;
    return bytes;
}

read_lease_file said(std::string const& bytes)
{
    auto file = read_lease_bytes(bytes);
    REQUIRE(file);
    return std::move(*file);
}

std::vector<std::uint64_t> sequences(lease_journal_content const& content)
{
    std::vector<std::uint64_t> all;
    for (auto const& one : content.unsettled)
        all.push_back(one.sequence);
    return all;
}

using numbers = std::vector<std::uint64_t>;

database_time moment_of(int second)
{
    return database_time{std::chrono::seconds{second}};
}

TEST_SUITE("reserve/lease_records")
{
    TEST_CASE("each kind of record is read as it was written")
    {
        auto const file = said(file_of(
            {encode(lease_note::claiming{id_of(5), secret_of(6)}),
             encode(lease_note::claimed{12}),
             encode(lease_note::intent{id_of(1), 1, 40}),
             encode(lease_note::granted{grant_of()}),
             encode(lease_note::intent{id_of(2), 4, 60}),
             encode(left_of(101), 1),
             encode(left_of(102, ""), 2),
             encode(lease_note::heard{id_of(7), moment_of(20)}),
             encode(lease_note::heard{id_of(6), moment_of(40)}),
             encode(lease_note::heard{id_of(7), moment_of(30)}),
             encode(lease_note::heard{id_of(6), moment_of(10)}),
             encode(lease_note::closed{id_of(1)})}
        ));
        CHECK(file.header == header_of());
        auto const& content = file.content;
        CHECK(content.database == "db-1");
        CHECK(content.instance == id_of(9));
        CHECK(content.incarnation == 12);
        CHECK_FALSE(content.claim.has_value());
        REQUIRE(content.leases.size() == 2);
        CHECK(content.leases[0].lease == id_of(1));
        CHECK(content.leases[0].wanted == 40);
        CHECK(content.leases[0].grant == grant_of());
        CHECK(content.leases[0].closed);
        CHECK(content.leases[1].lease == id_of(2));
        CHECK(content.leases[1].series_id == 4);
        CHECK(content.leases[1].wanted == 60);
        CHECK_FALSE(content.leases[1].grant.has_value());
        CHECK_FALSE(content.leases[1].closed);
        REQUIRE(content.unsettled.size() == 2);
        CHECK(content.unsettled[0].sequence == 1);
        CHECK(content.unsettled[0].lease == id_of(1));
        CHECK(content.unsettled[0].left == left_of(101).left);
        CHECK(content.unsettled[1].left.reference == "");
        CHECK(content.next_sequence == 3);
        REQUIRE(content.heard.size() == 2);  // each once, with its latest moment
        CHECK(content.heard[0].instance == id_of(7));
        CHECK(content.heard[0].moment == moment_of(30));
        CHECK(content.heard[1].instance == id_of(6));
        CHECK(content.heard[1].moment == moment_of(40));
        CHECK(content.damage.empty());
    }

    TEST_CASE("a claim whose answer was not noted is known")
    {
        auto const claiming = encode(lease_note::claiming{id_of(5), secret_of(6)});
        CHECK(said(file_of({claiming})).content.claim == id_of(5));
        CHECK(said(file_of({claiming})).content.secret == secret_of(6));
        auto const before = encode(lease_note::claiming{id_of(5)});
        CHECK(said(file_of({before})).content.claim == id_of(5));
        CHECK_FALSE(said(file_of({before})).content.secret);
        CHECK(said(file_of({claiming, before})).content.secret == secret_of(6));
        CHECK(said(file_of({claiming})).content.incarnation == 0);
        auto const again = file_of({encode(lease_note::claimed{3}), claiming});
        CHECK(said(again).content.claim == id_of(5));
        CHECK(said(again).content.incarnation == 3);
    }

    TEST_CASE("what is settled is not told, and a lease that was returned is none")
    {
        std::vector<std::string> records{encode(lease_note::granted{grant_of()})};
        for (std::uint64_t n = 1; n <= 5; ++n)
            records.push_back(encode(left_of(static_cast<std::int64_t>(100 + n)), n));
        records.push_back(encode(lease_note::settled{3}));
        CHECK(sequences(said(file_of(records)).content) == numbers{4, 5});
        records.push_back(encode(lease_note::settled{2}));
        CHECK(sequences(said(file_of(records)).content) == numbers{4, 5});
        records.push_back(encode(lease_note::settled{9}));
        CHECK(said(file_of(records)).content.leases.size() == 1);
        records.push_back(encode(lease_note::returned{id_of(1)}));
        auto const content = said(file_of(records)).content;
        CHECK(content.unsettled.empty());
        CHECK(content.leases.empty());
        CHECK(content.next_sequence == 6);
        records.push_back(encode(left_of(106), 6));
        CHECK(sequences(said(file_of(records)).content) == numbers{6});
    }

    TEST_CASE("integers are little-endian, and the CRC is over all before it")
    {
        CHECK(
            encode(lease_note::settled{0x0102}) ==
            std::string("\x08\0\0\0\x06\x02\x01\0\0\0\0\0\0\xac\xe0\x3f\xc2", 17)
        );
        CHECK(encode(header_of()).size() == lease_journal_header::bytes);
    }

    TEST_CASE("a record that was torn at any byte is not there, those before are")
    {
        auto const whole = file_of({encode(left_of(101), 1)});
        auto const torn = encode(left_of(102), 2);
        for (std::size_t bytes = 0; bytes < torn.size(); ++bytes)
        {
            auto text = whole + torn.substr(0, bytes);
            for (auto const behind : {std::size_t{0}, std::size_t{1}, torn.size()})
            {
                auto const file = said(text + std::string(behind, '\0'));
                REQUIRE(sequences(file.content) == numbers{1});
                REQUIRE(file.content.next_sequence == 2);
                REQUIRE(file.content.damage.empty());
                REQUIRE(file.end == whole.size());
            }
        }
        CHECK(sequences(said(whole + torn).content) == numbers{1, 2});
    }

    TEST_CASE("any changed byte makes a record bad, and is damage where a valid one follows")
    {
        auto const before = file_of({encode(left_of(101), 1)});
        auto const record = encode(left_of(102), 2);
        auto const behind = encode(left_of(103), 3);
        for (std::size_t place = 0; place < record.size(); ++place)
        {
            auto changed = record;
            changed[place] = static_cast<char>(changed[place] ^ 0x10);
            auto const last = said(before + changed);
            REQUIRE(sequences(last.content) == numbers{1});
            REQUIRE(last.content.damage.empty());
            auto const file = said(before + changed + behind);
            REQUIRE(file.content.damage.find(std::to_string(before.size())) != std::string::npos);
            // What left is settled all the same.
            REQUIRE(sequences(file.content) == numbers{1, 3});
            REQUIRE(file.end == before.size() + changed.size() + behind.size());
        }
    }

    TEST_CASE("zeros where records stood are damage")
    {
        auto const record = encode(left_of(102), 2);
        auto const before = file_of({encode(left_of(101), 1)});
        auto const behind = encode(lease_note::closed{id_of(1)});
        CHECK(said(before + std::string(8'192, '\0')).content.damage.empty());
        CHECK_FALSE(said(before + std::string(record.size(), '\0') + behind).content.damage.empty()
        );
        CHECK_FALSE(said(before + std::string(8'192, '\0') + behind).content.damage.empty());
    }

    TEST_CASE("a sequence that goes back is damage, and its record does not count")
    {
        auto const file =
            said(file_of({encode(left_of(101), 1), encode(left_of(102), 2), encode(left_of(103), 2)}
            ));
        CHECK_FALSE(file.content.damage.empty());
        CHECK(sequences(file.content) == numbers{1, 2});
    }

    TEST_CASE("no record fits into a key, which a client chooses")
    {
        CHECK(encode(lease_note::claimed{1}).size() > sizeof(idempotency_key::bytes));
        CHECK(encode(lease_note::settled{1}).size() > sizeof(idempotency_key::bytes));
    }

    TEST_CASE("values that no writer writes are no record")
    {
        auto one = left_of(101);
        CHECK(read_lease_record(encode(one, 1)));
        CHECK_FALSE(read_lease_record(encode(one, 0)));
        one.left.count = 0;
        CHECK_FALSE(read_lease_record(encode(one, 1)));
        one.left.count = 100'001;
        CHECK_FALSE(read_lease_record(encode(one, 1)));
        one = left_of(std::numeric_limits<std::int64_t>::max());
        CHECK_FALSE(read_lease_record(encode(one, 1)));
        CHECK_FALSE(read_lease_record(encode(lease_note::intent{id_of(1), 1, 0})));
        CHECK_FALSE(read_lease_record(encode(lease_note::intent{id_of(1), 1, 1'000'001})));
        CHECK_FALSE(read_lease_record(encode(lease_note::claimed{-1})));
        auto grant = grant_of();
        grant.count = 0;
        CHECK_FALSE(read_lease_record(encode(lease_note::granted{grant})));
    }

    TEST_CASE("the longest reference has room, a longer one breaks the promise")
    {
        auto const longest = left_of(101, std::string(lease_reference_bytes_max, 'x'));
        auto const record = encode(longest, 1);
        CHECK(record.size() <= lease_record_bytes_max);
        CHECK(read_lease_record(record));
        CHECK_THROWS_AS(
            encode(left_of(101, std::string(lease_reference_bytes_max + 1, 'x')), 1),
            contract_violation
        );
    }

    TEST_CASE("a header with any changed byte is none")
    {
        auto const header = encode(header_of());
        for (std::size_t place = 0; place < header.size(); ++place)
        {
            auto changed = header;
            changed[place] = static_cast<char>(changed[place] ^ 1);
            CHECK_MESSAGE(!read_lease_bytes(changed), place);
        }
        CHECK_FALSE(read_lease_bytes(header.substr(0, header.size() - 1)));
        CHECK_FALSE(read_lease_bytes(""));
        auto other = header_of();
        other.database = "a/b";
        CHECK_THROWS_AS(encode(other), contract_violation);
    }

    TEST_CASE("file systems of other machines are known by their magic")
    {
        struct row
        {
            std::uint32_t magic;
            std::string_view name;
        };
        for (auto const& [magic, name] :
             {row{0x6969, "nfs"},
              row{0xff534d42, "cifs"},
              row{0xfe534d42, "smb2"},
              row{0x65735546, "fuse"},
              row{0xef53, ""},       // ext4
              row{0x58465342, ""},   // XFS
              row{0x9123683e, ""},   // Btrfs
              row{0x01021994, ""},   // tmpfs
              row{0x794c7630, ""}})  // overlayfs
            CHECK(network_file_system(magic) == name);
    }
}

}  // namespace lease_records_test
