#include "reserve/journal_folder.hpp"
#include "reserve/leases.hpp"

namespace journal_folder_test {

using namespace gapless;
using namespace gapless::test;

/// A journal with an answer for each of the keys 101 to 103, not settled.
std::unique_ptr<lease_journal> journal_in(std::filesystem::path const& folder)
{
    auto journal = lease_journal::create(folder, "db-1", id_of(1));
    for (std::uint64_t n = 1; n <= 3; ++n)
        journal->append(encode(left_of(static_cast<std::int64_t>(100 + n)), n));
    journal->flush();
    return journal;
}

answer_keys keys_of(std::initializer_list<std::uint32_t> keys)
{
    answer_keys all;
    for (auto const key : keys)
        all.insert({7, key_of(key)});
    return all;
}

TEST_SUITE("reserve/journal_folder")
{
    TEST_CASE("keys of another instance's journal are held back until it has settled them")
    {
        new_folder const folder;
        auto theirs = journal_in(folder.path);
        unopened_journals unopened;
        CHECK(unopened.read(folder.path) == keys_of({101, 102, 103}));
        auto found = unopened.open({theirs->file()});
        CHECK(found.opened.empty());
        CHECK(found.recorded.empty());
        CHECK(found.trouble.empty());
        CHECK(found.holds_keys);

        theirs->append(encode(lease_note::settled{1}) + encode(left_of(104), 4));
        found = unopened.open_again();
        CHECK(found.recorded == keys_of({101}));
        CHECK(found.holds_keys);

        // It settles once more and ends.
        theirs->append(encode(lease_note::settled{2}));
        theirs.reset();
        found = unopened.open_again();
        CHECK(found.recorded == keys_of({102}));
        REQUIRE(found.opened.size() == 1);
        CHECK(found.opened.front()->content().unsettled.size() == 2);
        CHECK_FALSE(found.holds_keys);
    }

    TEST_CASE("keys of a journal that its instance has retired are held back no longer")
    {
        new_folder const folder;
        auto theirs = journal_in(folder.path);
        unopened_journals unopened;
        unopened.read(folder.path);
        unopened.open({theirs->file()});
        theirs->append(encode(lease_note::settled{3}) + encode(lease_note::returned{id_of(1)}));
        theirs->retire();
        auto const found = unopened.open_again();
        CHECK(found.recorded == keys_of({101, 102, 103}));
        CHECK_FALSE(found.holds_keys);
        CHECK(unopened.open_again().recorded.empty());
    }

    TEST_CASE("keys of a journal whose header is damaged are held back until it is put away")
    {
        new_folder const folder;
        auto const file = journal_in(folder.path)->file();
        overwrite(file, 0, "G");
        unopened_journals unopened;
        CHECK(unopened.read(folder.path) == keys_of({101, 102, 103}));
        auto const first = unopened.open({file});
        CHECK(first.recorded.empty());
        CHECK(first.trouble.size() == 1);
        CHECK(first.holds_keys);
        CHECK(unopened.open_again().holds_keys);
        std::filesystem::remove(file);
        CHECK(unopened.open_again().recorded == keys_of({101, 102, 103}));
    }

    TEST_CASE("journals of other databases are not opened, and their keys not held back")
    {
        new_folder const folder;
        journal_in(folder.path);
        unopened_journals unopened;
        unopened.read(folder.path);
        CHECK(unopened.open_again().opened.empty());
        auto const found = unopened.open({});
        CHECK(found.recorded == keys_of({101, 102, 103}));
        CHECK(found.opened.empty());
        CHECK_FALSE(found.holds_keys);
    }
}

}  // namespace journal_folder_test
