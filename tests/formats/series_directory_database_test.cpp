#include "formats/series_directory.hpp"
#include "harness/database.hpp"
#include "postgres/database_threads.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <doctest/doctest.h>

#include <future>
#include <string>
#include <vector>

namespace series_directory_test {

using namespace gapless;

/// A directory whose database threads let one read wait.
struct directory : test::database
{
    boost::asio::io_context io;
    database_threads threads{io, url(), {}, {.threads = 1, .waiting_max = 1}};
    series_directory all{threads};

    boost::asio::awaitable<std::string> look_up(std::string name)
    {
        auto const found = co_await all.find(std::move(name));
        co_return found.has_error() ? std::string{name_of(found.error().kind)} : (*found)->name;
    }

    /// What comes of look-ups that are under way at the same time.
    std::vector<std::string> find(std::vector<std::string> const& names)
    {
        std::vector<std::future<std::string>> begun;
        for (auto const& name : names)
            begun.push_back(boost::asio::co_spawn(io, look_up(name), boost::asio::use_future));
        io.restart();
        io.run();
        std::vector<std::string> found;
        for (auto& each : begun)
            found.push_back(each.get());
        return found;
    }
};

TEST_SUITE("formats/series_directory_database")
{
    TEST_CASE_FIXTURE(directory, "series that are asked for at once share a read")
    {
        std::vector<std::string> names;
        for (int n = 0; n < 50; ++n)
            names.push_back("s" + std::to_string(n));
        for (auto const& name : names)
            create_series(name, {});
        CHECK(find(names) == names);
        CHECK(all.known("s49") != nullptr);
    }

    TEST_CASE_FIXTURE(directory, "all others are read ahead, once")
    {
        for (int n = 100; n < 520; ++n)
            create_series("s" + std::to_string(n), {});
        find({"s300"});
        CHECK(all.known("s100") != nullptr);
        CHECK(all.known("s300")->name == "s300");
        CHECK(all.known("s519") != nullptr);
        // A new one is read when it is asked for.
        create_series("s000", {});
        create_series("s520", {});
        CHECK(find({"s520"}) == std::vector<std::string>{"s520"});
        CHECK(all.known("s000") == nullptr);
    }

    TEST_CASE_FIXTURE(directory, "one that there is not is refused among those that there are")
    {
        create_series("s", {});
        CHECK(
            find({"none", "s", "s", "nor this", "s"}) ==
            std::vector<std::string>{"unknown-series", "s", "s", "unknown-series", "s"}
        );
        create_series("none", {});
        CHECK(find({"none"}) == std::vector<std::string>{"none"});
    }

    TEST_CASE_FIXTURE(directory, "what was forgotten is read anew, and stays for who has it")
    {
        create_series("s", {});
        find({"s"});
        auto const* const before = all.known("s");
        all.forget();
        CHECK(all.known("s") == nullptr);
        run("update gapless.series set name = 't'");
        CHECK(find({"s", "t"}) == std::vector<std::string>{"unknown-series", "t"});
        CHECK(before->name == "s");
        CHECK(all.known("t")->series_id == before->series_id);
    }

    TEST_CASE_FIXTURE(directory, "who waits while it is forgotten is answered by the next read")
    {
        create_series("s", {});
        auto found = boost::asio::co_spawn(io, look_up("s"), boost::asio::use_future);
        io.restart();
        while (all.known("s") == nullptr)
            io.run_one();
        all.forget();
        io.run();
        CHECK(found.get() == "s");
        CHECK(all.known("s") != nullptr);
    }

    TEST_CASE_FIXTURE(directory, "without a database all who wait are refused")
    {
        threads.stop();
        for (auto const& answer : find({"a", "b", "c"}))
            CHECK(answer == "database-unavailable");
    }
}

}  // namespace series_directory_test
