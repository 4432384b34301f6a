#include "cli/failure.hpp"
#include "epochs/move_proof.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

namespace gapless::cli::cli_move_proof_test {

namespace fs = std::filesystem;

/// A database whose move was prepared in epoch 3 at ordinal 8, and the one folder of its journals.
struct prepared_move
{
    prepared_move()
    {
        here.epoch = 3;
        here.database_id = "d";
        here.database_oid = "5";
        here.move_id = "m";
        here.prepared_at = "2026-11-22T10:00:00.000000Z";
        here.marks = here.present = {{"s", 1, 8, 2, 5}};
        here.journals = {{"j", "db-1", 3}};
        here.opened_on = "the old server";
        here.here = "the new server";
        folders = {
            {"/journals",
             move_seal{"d", 3, "m", here.prepared_at, "the old server", "", here.marks},
             {{"/journals/d-5.1", "j", 3, {{1, 8, 2}}}}}};
    }

    std::string to_move() const { return text(obstacles_to_move(here, folders)); }
    std::string to_prepare() const { return text(obstacles_to_prepare(here, folders)); }

    static std::string text(std::vector<std::string> const& told)
    {
        std::string all;
        for (auto const& each : told)
            all.append(all.empty() ? "" : "; ").append(each);
        return all.empty() ? "none" : all;
    }

    static bool has(std::string const& text, std::string const& part)
    {
        return text.find(part) != std::string::npos;
    }

    move_seal& seal() { return *folders[0].seal; }
    journal_content& journal() { return folders[0].journals[0]; }

    move_record here;
    std::vector<folder_evidence> folders;
};

TEST_SUITE("epochs/move_proof")
{
    TEST_CASE_FIXTURE(prepared_move, "what is equal everywhere may be prepared and moved")
    {
        CHECK(to_prepare() == "none");
        CHECK(to_move() == "none");
        journal().marks = {{1, 3, 1}};  // an instance that answered little
        CHECK(to_move() == "none");
        seal().completed_on = "the new server";  // nobody learnt how it ended
        CHECK(to_move() == "none");
    }

    TEST_CASE_FIXTURE(prepared_move, "one number that left on the old server later is named")
    {
        journal().marks = {{1, 9, 2}};
        CHECK(
            to_move() ==
            "series 's': 1 more numbers were issued, up to ordinal 9 instead of 8 (/journals/d-5.1)"
        );
        CHECK(to_prepare() == to_move());
        journal().marks = {{2, 1, 0}};
        CHECK(has(to_move(), "series 2: 1 more numbers were issued"));
    }

    TEST_CASE_FIXTURE(
        prepared_move,
        "turns count unless an operator's epoch voided them, a later epoch in any case"
    )
    {
        journal().marks = {{1, 8, 3}};
        CHECK(has(to_move(), "reissued, up to turn 3 instead of 2"));
        journal().epoch = 2;
        CHECK(has(to_move(), "reissued, up to turn 3 instead of 2"));
        here.voided_epoch = 3;
        CHECK(to_move() == "none");
        journal() = {"/journals/d-5.1", "j", 4, {}};
        CHECK(has(to_move(), "was used in epoch 4, this database is in epoch 3"));
    }

    TEST_CASE_FIXTURE(prepared_move, "every journal of the epoch has to be there")
    {
        here.journals.push_back({"k", "db-2", 1});
        CHECK(
            to_move() ==
            "journal k is missing, which was in use on host 'db-2' in epoch 1: name its folder"
        );
        CHECK(to_prepare() == to_move());
    }

    TEST_CASE_FIXTURE(prepared_move, "a database that is not as it was is refused, each difference")
    {
        for (move_mark const& changed :
             {move_mark{"s", 1, 7, 2, 5}, {"s", 1, 9, 2, 5}, {"s", 1, 8, 1, 5}, {"s", 1, 8, 2, 6}})
        {
            here.present = {changed};
            CHECK(has(to_move(), "series 's' is at ordinal"));
        }
        here.present = {};
        CHECK(to_move() == "series 's' is not in this database");
        here.present = {here.marks[0], {"t", 2, 0, 0, 0}};
        CHECK(to_move() == "series 't' did not exist when the move was prepared");
    }

    TEST_CASE_FIXTURE(prepared_move, "the seal has to be that of this move, and to say the same")
    {
        seal().marks[0].ordinal = 9;
        CHECK(has(to_move(), "series 's' is at ordinal 8"));
        seal().move_id = "another";
        CHECK(has(to_move(), "holds the seal of another move"));
        folders[0].seal.reset();
        CHECK(to_move() == "/journals holds no seal of this move");
        CHECK(to_prepare() == "none");
    }

    TEST_CASE_FIXTURE(prepared_move, "a move that was completed on another server is not again")
    {
        seal().completed_on = "a third server";
        CHECK(
            to_move() ==
            "this move was completed on a third server, this is the new server: both would issue "
            "the same numbers"
        );
    }

    TEST_CASE_FIXTURE(prepared_move, "another fence than the move's stops the move, and is named")
    {
        here.other_fence = "a journal says so";
        CHECK(to_move() == "another fence was raised: a journal says so");
    }

    TEST_CASE_FIXTURE(prepared_move, "a copy from before the move lacks what left after it")
    {
        here.move_id.clear();
        here.marks.clear();
        here.present[0].ordinal = 7;
        CHECK(has(to_move(), "no move was prepared in this copy of the database"));
        CHECK(has(to_move(), "series 's' is at ordinal 7, turn 2, event 5 here"));
        CHECK(has(to_move(), "1 more numbers were issued"));
    }

    TEST_CASE_FIXTURE(prepared_move, "a seal is read as it was written, and a torn one is refused")
    {
        char name[] = "/tmp/gapless-seal-XXXXXX";
        fs::path const folder{::mkdtemp(name)};
        CHECK(!read_seal(folder, "d", 3));
        write_seal(folder, seal());
        seal().completed_on = "the new server";
        write_seal(folder, seal());
        auto const read = read_seal(folder, "d", 3);
        REQUIRE(read);
        CHECK(read->move_id == "m");
        CHECK(read->completed_on == "the new server");
        CHECK(read->marks == seal().marks);
        CHECK(!read_seal(folder, "d", 4));
        fs::resize_file(folder / "move.d.3", 40);
        CHECK_THROWS_AS(read_seal(folder, "d", 3), command_failed);
        CHECK_THROWS_AS(write_seal(folder / "gone", seal()), command_failed);
        fs::remove_all(folder);
    }
}

}  // namespace gapless::cli::cli_move_proof_test
