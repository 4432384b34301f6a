#include "app/service_config.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace settings_test {

using namespace gapless;
using namespace std::chrono_literals;

struct fixture
{
    service_config config;
    std::vector<setting> settings{settings_of(config)};
    std::string path{(std::filesystem::temp_directory_path() /
                      ("settings_test_" + std::to_string(::getpid()) + ".toml"))
                         .string()};

    ~fixture() { std::filesystem::remove(path); }

    setting& named(std::string const& name)
    {
        for (auto& candidate : settings)
            if (candidate.name == name)
                return candidate;
        throw std::out_of_range{name};
    }

    /// What taking this file says: "" or the error.
    std::string take_file(std::string const& text)
    {
        std::ofstream{path} << text;
        try
        {
            apply_file(settings, path);
            return "";
        }
        catch (bad_setting const& error)
        {
            std::string const what = error.what();
            return what.starts_with(path) ? what.substr(path.size()) : what;
        }
    }
};

TEST_SUITE("app/settings")
{
    TEST_CASE_FIXTURE(
        fixture, "an option beats the environment, which beats the file, which beats the default"
    )
    {
        CHECK(config.listen == "127.0.0.1:8080");
        CHECK(take_file("listen = \"127.0.0.1:1\"\nidle_time_max = \"5s\"\n") == "");
        CHECK(config.listen == "127.0.0.1:1");
        CHECK(config.http.idle_time_max == 5s);

        ::setenv("GAPLESS_LISTEN", "127.0.0.1:2", 1);
        apply_environment(settings);
        ::unsetenv("GAPLESS_LISTEN");
        CHECK(config.listen == "127.0.0.1:2");

        apply(named("listen"), "127.0.0.1:3", setting_source::option);
        CHECK(take_file("listen = \"127.0.0.1:1\"\n") == "");
        CHECK(config.listen == "127.0.0.1:3");
    }

    TEST_CASE_FIXTURE(
        fixture, "a bad value names the setting, the value, its source and what is allowed"
    )
    {
        CHECK_THROWS_WITH_AS(
            apply(named("connections_max"), "many", setting_source::option),
            "connections_max = 'many' (option): allowed: a whole number from 1 to 100000",
            bad_setting
        );
        CHECK_THROWS_AS(apply(named("connections_max"), "0", setting_source::option), bad_setting);
        CHECK_THROWS_AS(
            apply(named("connections_max"), "1e3", setting_source::option), bad_setting
        );
        CHECK_THROWS_AS(apply(named("access_log"), "maybe", setting_source::option), bad_setting);
        CHECK_THROWS_AS(apply(named("idle_time_max"), "10", setting_source::option), bad_setting);
        CHECK_THROWS_AS(apply(named("token_life"), "6s", setting_source::option), bad_setting);
        CHECK(config.http.connections_max == http_limits{}.connections_max);
    }

    TEST_CASE_FIXTURE(fixture, "an unknown key or broken file is refused with its line")
    {
        CHECK(take_file("\nlisen = \"x\"\n") == ":2: there is no setting 'lisen'");
        CHECK(take_file("listen = \n").starts_with(":1: "));
        CHECK(take_file("config = \"x\"\n") == ":1: a file of settings names no other one");
        std::string const kinds{"allowed: a string, a whole number, true or false"};
        CHECK(take_file("insecure = true\nlisten = [1]\n") == ":2: listen: " + kinds);
        CHECK(take_file("connections_max = 1.5\n") == ":1: connections_max: " + kinds);
    }

    TEST_CASE_FIXTURE(fixture, "what a start would refuse is refused where it is read")
    {
        std::string const addresses{
            " (file): allowed: address:port, such as 127.0.0.1:8080 or [::1]:8080"};
        CHECK(take_file("listen = 5\n") == "listen = '5'" + addresses);
        CHECK(take_file("listen = \"host:http\"\n") == "listen = 'host:http'" + addresses);
        CHECK(take_file("listen = \":0\"\n") == "");
        CHECK(
            take_file("log_level = \"loud\"\n") ==
            "log_level = 'loud' (file): allowed: debug, info, warning or error"
        );
        CHECK(take_file("log_level = \"debug\"\n") == "");
    }

    TEST_CASE_FIXTURE(fixture, "a file that cannot be looked at is refused, whatever stands above")
    {
        std::string const name(300, 'x');
        auto const why = name + ": cannot be opened: File name too long";
        CHECK_THROWS_WITH_AS(apply_file(settings, name), why.c_str(), bad_setting);
    }

    TEST_CASE("the journal is in the first folder of state that systemd names")
    {
        ::setenv("STATE_DIRECTORY", "/var/lib/a:/var/lib/b", 1);
        CHECK(service_config{}.service.journal == "/var/lib/a/journal");
        ::unsetenv("STATE_DIRECTORY");
    }

    TEST_CASE("durations are written as they are read")
    {
        for (auto const* text : {"250ms", "10s", "5min", "2h", "3d", "0s", "1000001s"})
            CHECK(show_duration(read_duration(text)) == text);
        for (auto const* text :
             {"",
              "10",
              "s",
              "-1s",
              "1.5s",
              "1 s",
              "10sec",
              "9999999999999999999s",
              "106751991168d"})
            CHECK_THROWS_AS(read_duration(text), std::invalid_argument);
    }

    TEST_CASE_FIXTURE(fixture, "every value is printed with its source, a password never")
    {
        apply(
            named("database_url"),
            "postgresql://gapless:s3cret@127.0.0.1:5432/x",
            setting_source::option
        );
        auto const all = show_all(settings);
        CHECK(all.find("s3cret") == std::string::npos);
        CHECK(
            all.find("database_url = \"user='gapless' password='***' dbname='x' host='127.0.0.1' "
                     "port='5432'\"  # option") != std::string::npos
        );
        apply(named("journal"), R"(/tmp/a"b\c)", setting_source::option);
        CHECK(
            show_all(settings).find(R"(journal = "/tmp/a\"b\\c"  # option)") != std::string::npos
        );
        CHECK(all.find("connections_max = 1024  # default") != std::string::npos);
        apply(named("environment"), "007", setting_source::option);
        CHECK(show_all(settings).find(R"(environment = "007"  # option)") != std::string::npos);
    }

    TEST_CASE("no piece of a password is shown, however it is written")
    {
        CHECK(to_public_options("") == "");
        CHECK(
            to_public_options("host=x user=u password='se cret' dbname=d") ==
            "user='u' password='***' dbname='d' host='x'"
        );
        CHECK(to_public_options("password=abc&def host=x") == "password='***' host='x'");
        CHECK(
            to_public_options("postgresql://u@h/d?sslpassword=se&password=cret") ==
            "user='u' password='***' dbname='d' host='h' sslpassword='***'"
        );
        for (std::string const url :
             {"postgresql://u:se/cret@h/db",
              "postgresql://u:se@cret@h/db",
              "postgresql://u:se%cret@h/db",
              "password=se cret host=h"})
        {
            CAPTURE(url);
            CHECK(to_public_options(url) == "***");
            std::string told;
            try
            {
                told = weak_sslmode(url);
            }
            catch (database_unreachable const& error)
            {
                told = error.what();
            }
            CHECK(told.starts_with("the URL of the database cannot be read: "));
            CHECK(told.find("cret") == std::string::npos);
            CHECK(told.find("\"se") == std::string::npos);
        }
    }

    TEST_CASE("a word that is no URL is told as such")
    {
        for (std::string const url : {"mydb", "http://x"})
            CHECK_THROWS_WITH_AS(
                weak_sslmode(url),
                doctest::Contains("it is neither postgresql://… nor key=value"),
                database_unreachable
            );
    }

    TEST_CASE_FIXTURE(fixture, "a file of settings that cannot be opened is named with the reason")
    {
        CHECK_THROWS_WITH(
            apply_file(settings, "/nonexist.toml"),
            "/nonexist.toml: cannot be opened: No such file or directory"
        );
    }

    TEST_CASE_FIXTURE(fixture, "webhooks deliver to no private address until networks are named")
    {
        CHECK(config.service.webhook_networks.empty());
        CHECK(named("webhook_networks").show() == "");
        CHECK(take_file("webhook_networks = \"10.0.0.0/8, fd00::/8\"\n") == "");
        CHECK(named("webhook_networks").show() == "10.0.0.0/8,fd00::/8");
        CHECK(config.service.webhook_networks.size() == 2);
        CHECK(
            take_file("webhook_networks = \"10.0.0.1/8\"\n") ==
            "webhook_networks = '10.0.0.1/8' (file): allowed: networks with commas between, such "
            "as "
            "10.0.0.0/8,fd00::/8"
        );
        CHECK(config.service.webhook_networks.size() == 2);
    }

    TEST_CASE_FIXTURE(fixture, "series with lines in /metrics are all, none, or so many")
    {
        CHECK(named("metrics_series").show() == "200");
        for (std::string const text : {"all", "off", "7", "1000000"})
        {
            CHECK(take_file("metrics_series = \"" + text + "\"\n") == "");
            CHECK(named("metrics_series").show() == text);
        }
        CHECK(config.service.metrics_series == 1'000'000);
        CHECK(take_file("metrics_series = 0\n") == "");
        CHECK(config.service.metrics_series == 0);
        CHECK(
            take_file("metrics_series = \"most\"\n") ==
            "metrics_series = 'most' (file): allowed: a whole number from 0 to 1000000, all or off"
        );
    }

    TEST_CASE_FIXTURE(fixture, "no page of another origin may ask until its origin is named")
    {
        CHECK(config.http.cors_origins.empty());
        CHECK(take_file("cors_origins = \"https://shop.example, http://[::1]:8080\"\n") == "");
        CHECK(named("cors_origins").show() == "https://shop.example,http://[::1]:8080");
        CHECK(take_file("cors_origins = [\"https://a.example\",\n\"https://b.example\"]\n") == "");
        CHECK(named("cors_origins").show() == "https://a.example,https://b.example");
        CHECK(take_file("webhook_networks = [\"10.0.0.0/8\"]\n") == "");
        CHECK(named("webhook_networks").show() == "10.0.0.0/8");
        for (std::string const wrong : {"[1]", "[[\"*\"]]", "7", "true"})
            CHECK(
                take_file("\ncors_origins = " + wrong + "\n") ==
                ":2: cors_origins: allowed: a list such as [\"a\", \"b\"], or a string with commas "
                "between"
            );
        for (std::string_view const wrong :
             {"shop.example", "https://shop.example/", "https://", ","})
            CHECK_THROWS_AS(
                apply(named("cors_origins"), std::string{wrong}, setting_source::option),
                bad_setting
            );
        CHECK(config.http.cors_origins.size() == 2);
    }

    TEST_CASE("names follow from one another")
    {
        CHECK(to_option("token_life") == "--token-life");
        CHECK(to_environment("token_life") == "GAPLESS_TOKEN_LIFE");
    }
}

}  // namespace settings_test
