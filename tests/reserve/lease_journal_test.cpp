#include "reserve/lease_journal.hpp"
#include "reserve/leases.hpp"

#include <algorithm>
#include <functional>
#include <sys/stat.h>

namespace lease_journal_test {

using namespace gapless;
using namespace gapless::test;
namespace fs = std::filesystem;

std::unique_ptr<lease_journal> created(new_folder const& folder, unsigned char instance = 9)
{
    return lease_journal::create(folder.path, "db-1", id_of(instance));
}

/// A journal with one answer that left, closed again.
fs::path written(new_folder const& folder)
{
    auto const journal = created(folder);
    journal->make_room(100'000);
    journal->append(encode(lease_note::granted{grant_of()}) + encode(left_of(101), 1));
    journal->flush();
    return journal->file();
}

std::size_t size_of_unsettled(fs::path const& file)
{
    return lease_journal::read(file).unsettled.size();
}

TEST_SUITE("reserve/lease_journal")
{
    TEST_CASE("a journal for which there is no room leaves nothing behind")
    {
        new_folder const folder;
        {
            file_size_limit const full{0};
            CHECK_THROWS_AS(created(folder), lease_journal_failure);
        }
        CHECK(fs::is_empty(folder.path));
        CHECK(size_of_unsettled(created(folder)->file()) == 0);
    }

    TEST_CASE("a journal that was cut while a lease is open is damaged")
    {
        new_folder const folder;
        auto const journal = created(folder);
        auto const grant = grant_of();
        journal->make_room(static_cast<std::uint64_t>(grant.count) * lease_room_bytes);
        journal->append(
            encode(lease_note::intent{grant.lease, grant.series_id, grant.count}) +
            encode(lease_note::granted{grant})
        );
        journal->flush();
        auto const file = journal->file();
        CHECK(lease_journal::read(file).damage.empty());
        fs::resize_file(file, fs::file_size(file) - 1);
        CHECK(lease_journal::read(file).damage.starts_with("it was cut: "));
        journal->append(encode(lease_note::closed{grant.lease}));
        CHECK(lease_journal::read(file).damage.empty());
    }

    TEST_CASE("room for a lease comes on top of what the open ones may still need")
    {
        new_folder const folder;
        auto const journal = created(folder);
        auto const take = [&](unsigned char lease) {
            journal->make_room(10 * lease_room_bytes);
            journal->append(
                encode(lease_note::intent{id_of(lease), lease, 10}) +
                encode(lease_note::granted{grant_of(lease)})
            );
            return fs::file_size(journal->file());
        };
        auto const header = journal->size();
        CHECK(take(1) == header + 10 * lease_room_bytes);
        journal->append(encode(left_of(101), 1));
        auto place = journal->size();
        CHECK(take(2) == place + 19 * lease_room_bytes);  // one of ten was answered
        CHECK(lease_journal::read(journal->file()).damage.empty());
        fs::resize_file(journal->file(), place + 19 * lease_room_bytes - 1);
        CHECK(lease_journal::read(journal->file()).damage.starts_with("it was cut: "));
        fs::resize_file(journal->file(), place + 19 * lease_room_bytes);
        journal->append(encode(lease_note::closed{id_of(1)}));
        place = journal->size();
        CHECK(take(3) == place + 20 * lease_room_bytes);
        CHECK(lease_journal::read(journal->file()).damage.empty());
    }

    TEST_CASE("what was flushed is read again, by the same process and the next")
    {
        new_folder const folder;
        auto const file = written(folder);
        CHECK(file.filename() == "db-1-" + to_text(id_of(9)) + ".lease");
        CHECK(
            (fs::status(file).permissions() & fs::perms::all) ==
            (fs::perms::owner_read | fs::perms::owner_write)
        );
        auto const read = lease_journal::read(file);
        CHECK(read.unsettled.size() == 1);
        auto const opened = lease_journal::open(file);
        REQUIRE(opened);
        auto const& content = opened->content();
        CHECK(content.database == "db-1");
        CHECK(content.instance == id_of(9));
        REQUIRE(content.unsettled.size() == 1);
        CHECK(content.unsettled.front().left == left_of(101).left);
        CHECK(content.next_sequence == 2);
        CHECK(content.original);
        CHECK(content.same_boot);
        CHECK(content.damage.empty());
        opened->append(encode(left_of(102), 2));
        opened->flush();
        CHECK(size_of_unsettled(file) == 2);
    }

    TEST_CASE("room is made beyond the end, and records go into it")
    {
        new_folder const folder;
        auto const journal = created(folder);
        auto const header = journal->size();
        journal->make_room(5'000'000);
        CHECK(fs::file_size(journal->file()) == header + 5'000'000);
        struct stat about;
        REQUIRE(::stat(journal->file().c_str(), &about) == 0);
        CHECK(about.st_blocks * 512 >= 5'000'000);
        CHECK(journal->size() == header);
        journal->make_room(1'000);
        CHECK(fs::file_size(journal->file()) == header + 5'000'000);
        auto const record = encode(left_of(101), 1);
        journal->append(record);
        CHECK(journal->size() == header + record.size());
        CHECK(fs::file_size(journal->file()) == header + 5'000'000);
        CHECK(size_of_unsettled(journal->file()) == 1);
        journal->make_room(5'000'000);
        CHECK(fs::file_size(journal->file()) == header + record.size() + 5'000'000);
    }

    TEST_CASE("records far behind a megabyte of space are found")
    {
        new_folder const folder;
        auto const file = written(folder);
        {
            auto const opened = lease_journal::open(file);
            opened->make_room(3'000'000);
            std::uint64_t sequence = 2;
            while (opened->size() < 2'500'000)
                opened->append(encode(left_of(102, std::string(250, 'x')), sequence++));
            opened->flush();
            CHECK(size_of_unsettled(file) == sequence - 1);
        }
        auto const size = fs::file_size(file);
        overwrite(file, size - 100, encode(lease_note::settled{1}));
        CHECK_FALSE(lease_journal::read(file).damage.empty());
    }

    TEST_CASE("a torn record is overwritten, and what it left is gone")
    {
        auto const torn = encode(left_of(102), 2);
        for (std::size_t bytes = 1; bytes < torn.size(); bytes += 7)
        {
            new_folder const folder;
            auto const file = written(folder);
            std::size_t end = 0;
            {
                auto const opened = lease_journal::open(file);
                end = opened->size();
            }
            // The end of the record arrived, its beginning did not.
            overwrite(file, end + bytes, torn.substr(bytes));
            {
                auto const opened = lease_journal::open(file);
                REQUIRE(opened);
                REQUIRE(opened->size() == end);
                REQUIRE(opened->content().damage.empty());
                opened->append(encode(lease_note::settled{1}));
                opened->flush();
            }
            auto const said = content_of(file);
            REQUIRE(said.find_last_not_of('\0') < end + encode(lease_note::settled{1}).size());
            REQUIRE(size_of_unsettled(file) == 0);
        }
    }

    TEST_CASE("damage is told, and what stands behind it is read")
    {
        new_folder const folder;
        auto const file = written(folder);
        std::size_t end = 0;
        {
            auto const opened = lease_journal::open(file);
            end = opened->size();
            opened->append(encode(left_of(102), 2));
            opened->flush();
        }
        overwrite(file, end - 10, "?");
        auto const opened = lease_journal::open(file);
        CHECK_FALSE(opened->content().damage.empty());
        CHECK(opened->content().unsettled.size() == 1);
        CHECK(opened->content().unsettled.front().sequence == 2);
        opened->append(encode(lease_note::settled{2}));
        opened->flush();
        CHECK(size_of_unsettled(file) == 1);  // to settle it again harms nothing
        CHECK_FALSE(lease_journal::read(file).damage.empty());
    }

    TEST_CASE("what a client wrote into a record that was torn ends nothing")
    {
        for (auto const& end :
             {encode(lease_note::settled{1}),
              encode(lease_note::closed{id_of(1)}),
              encode(lease_note::returned{id_of(1)}),
              encode(lease_note::claimed{77})})
        {
            new_folder const folder;
            auto const file = written(folder);
            auto const before = lease_journal::read(file);
            auto const place = fs::file_size(file);
            auto journal = lease_journal::open(file);
            auto const begin = journal->size();
            journal->append(encode(left_of(102, end), 2));
            journal.reset();
            overwrite(file, begin, "????");
            auto const read = lease_journal::read(file);
            CHECK_FALSE(read.damage.empty());
            CHECK(read.unsettled.size() == 1);
            CHECK(read.leases.size() == before.leases.size());
            CHECK_FALSE(read.leases.front().closed);
            CHECK(read.incarnation == before.incarnation);
            CHECK(fs::file_size(file) == place);
        }
    }

    TEST_CASE("no room is made that the next process would not read")
    {
        new_folder const folder;
        auto const file = written(folder);
        auto const before = fs::file_size(file);
        CHECK_THROWS_WITH_AS(
            lease_journal::open(file)->make_room(lease_journal::bytes_max),
            doctest::Contains("make them smaller"),
            lease_journal_failure
        );
        CHECK(fs::file_size(file) == before);
        CHECK(size_of_unsettled(file) == 1);
    }

    TEST_CASE("one process has it at a time, but everybody may read it")
    {
        new_folder const folder;
        auto journal = created(folder);
        CHECK(lease_journal::open(journal->file()) == nullptr);
        CHECK(lease_journal::read(journal->file()).unsettled.empty());
        auto const file = journal->file();
        journal.reset();
        CHECK(lease_journal::open(file) != nullptr);
    }

    TEST_CASE("a copy is not the original, under whatever name")
    {
        new_folder const folder;
        auto const file = written(folder);
        auto const copy = folder.path / ("db-1-" + to_text(id_of(10)) + ".lease");
        fs::copy_file(file, copy);
        CHECK_FALSE(lease_journal::read(copy).original);
        CHECK(lease_journal::read(copy).unsettled.size() == 1);
        auto const moved = folder.path / ("db-1-" + to_text(id_of(11)) + ".lease");
        fs::rename(file, moved);
        CHECK(lease_journal::read(moved).original);
        fs::rename(copy, file);
        CHECK_FALSE(lease_journal::open(file)->content().original);
    }

    TEST_CASE("files are found by database, in the order of their names")
    {
        new_folder const folder;
        created(folder, 2);
        created(folder, 1);
        lease_journal::create(folder.path, "db-12", id_of(3));
        for (auto const* other :
             {"db-1-x.lease", "db-1-.lease", "db-1.1", "db-1-00000000-0000-0000-0000-000000000001"})
            std::ofstream{folder.path / other} << "x";
        auto const found = lease_journal::find(folder.path, "db-1");
        REQUIRE(found.size() == 2);
        CHECK(found[0].filename() == "db-1-" + to_text(id_of(1)) + ".lease");
        CHECK(found[1].filename() == "db-1-" + to_text(id_of(2)) + ".lease");
        CHECK(lease_journal::find(folder.path, "db-2").empty());
        CHECK(lease_journal::find(folder.path / "none", "db-1").empty());
        CHECK_THROWS_AS(lease_journal::find(found[0], "db-1"), lease_journal_failure);
    }

    TEST_CASE("an instance has one file")
    {
        new_folder const folder;
        auto const file = written(folder);
        auto const before = content_of(file);
        CHECK_THROWS_AS(created(folder), lease_journal_failure);
        CHECK(content_of(file) == before);
        CHECK(lease_journal::find(folder.path, "db-1").size() == 1);
    }

    TEST_CASE("what is no journal is refused, and left as it is")
    {
        new_folder const folder;
        auto const file = folder.path / "other";
        std::ofstream{file} << std::string(500, 'x');
        CHECK_THROWS_AS(lease_journal::open(file), lease_journal_failure);
        CHECK_THROWS_AS(lease_journal::read(file), lease_journal_failure);
        CHECK(content_of(file) == std::string(500, 'x'));
        CHECK_THROWS_AS(lease_journal::open(folder.path / "none"), lease_journal_failure);
    }

    TEST_CASE("a pipe, a device and a file that is too large are refused at once")
    {
        new_folder const folder;
        auto const refused = [&](std::string const& name, std::string_view why) {
            auto const file = folder.path / name;
            for (auto const& read : {
                     std::function<void()>{[&] { lease_journal::open(file); }},
                     std::function<void()>{[&] { lease_journal::read(file); }},
                 })
                try
                {
                    read();
                    FAIL(name);
                }
                catch (lease_journal_failure const& failure)
                {
                    CHECK(std::string_view{failure.what()}.find(why) != std::string_view::npos);
                }
        };
        REQUIRE(::mkfifo((folder.path / "pipe.lease").c_str(), 0600) == 0);
        refused("pipe.lease", "no regular file");
        fs::create_symlink("/dev/zero", folder.path / "zero.lease");
        refused("zero.lease", "no regular file");
        std::ofstream{folder.path / "sparse.lease"};
        fs::resize_file(folder.path / "sparse.lease", std::uint64_t{200} << 30);
        refused("sparse.lease", "4294967296 at most");
    }

    TEST_CASE("a file whose header is damaged is read for an operator alone")
    {
        new_folder const folder;
        auto const file = written(folder);
        overwrite(file, 20, "x");
        CHECK_THROWS_AS(lease_journal::open(file), lease_journal_failure);
        CHECK_THROWS_AS(lease_journal::read(file, lease_answers::all), lease_journal_failure);
        auto const said = lease_journal::read(file, lease_answers::salvaged);
        CHECK(said.damage == "its header is damaged");
        CHECK(said.unsettled.size() == 1);
        CHECK(said.database.empty());
        std::ofstream{file} << std::string(500, 'x');
        CHECK_THROWS_AS(lease_journal::read(file, lease_answers::salvaged), lease_journal_failure);
    }

    TEST_CASE("a full disk takes no room, and what was written stays good")
    {
        new_folder const folder;
        auto const journal = created(folder);
        journal->append(encode(left_of(101), 1));
        {
            file_size_limit const full{10'000};
            CHECK_THROWS_AS(journal->make_room(20'000), lease_journal_failure);
        }
        journal->append(encode(left_of(102), 2));
        journal->flush();
        CHECK(size_of_unsettled(journal->file()) == 2);
    }

    TEST_CASE("once a write has failed nothing is written any more")
    {
        new_folder const folder;
        auto const journal = created(folder);
        journal->append(encode(left_of(101), 1));
        {
            file_size_limit const full{journal->size() + 10};
            CHECK_THROWS_AS(journal->append(encode(left_of(102), 2)), lease_journal_failure);
        }
        CHECK_THROWS_AS(journal->append(encode(left_of(103), 3)), lease_journal_failure);
        CHECK_THROWS_AS(journal->flush(), lease_journal_failure);
        CHECK_THROWS_AS(journal->make_room(1), lease_journal_failure);
        CHECK_THROWS_AS(journal->retire(), lease_journal_failure);
        CHECK(size_of_unsettled(journal->file()) == 1);
    }

    TEST_CASE("it retires when all is settled and returned, not before")
    {
        new_folder const folder;
        auto const file = written(folder);
        auto const journal = lease_journal::open(file);
        CHECK_THROWS_AS(journal->retire(), lease_journal_failure);
        journal->append(encode(lease_note::settled{1}));
        CHECK_THROWS_AS(journal->retire(), lease_journal_failure);
        journal->append(encode(lease_note::returned{id_of(1)}));
        journal->retire();
        CHECK(lease_journal::find(folder.path, "db-1").empty());
        CHECK_FALSE(fs::exists(file));
        CHECK(journal->file().string().starts_with(file.string() + "."));
        CHECK(journal->file().string().ends_with("Z.settled"));
        CHECK(lease_journal::read(journal->file()).next_sequence == 2);
    }

    TEST_CASE("retired files are kept for 30 days, others for ever")
    {
        new_folder const folder;
        struct row
        {
            std::string name;
            std::chrono::hours age;
            bool stays;
        };
        std::vector<row> const rows{
            {"db-1-a.lease.20260101T000000Z.settled", 29 * 24h, true},
            {"db-1-b.lease.20260101T000000Z.settled", 31 * 24h, false},
            {"db-1-c.lease.new", 31 * 24h, false},
            {"db-1-d.lease", 400 * 24h, true},
            {"invoice.settled", 400 * 24h, true},
            {"db-1-e.1", 400 * 24h, true}};
        for (auto const& row : rows)
        {
            std::ofstream{folder.path / row.name} << "x";
            fs::last_write_time(folder.path / row.name, fs::file_time_type::clock::now() - row.age);
        }
        lease_journal::remove_old(folder.path);
        for (auto const& row : rows)
            CHECK_MESSAGE(fs::exists(folder.path / row.name) == row.stays, row.name);
        lease_journal::remove_old(folder.path / "none");
    }
}

}  // namespace lease_journal_test
