#include "harness/certificate.hpp"
#include "harness/private_cluster.hpp"
#include "harness/service_bench.hpp"
#include "harness/tls_client.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <charconv>
#include <filesystem>
#include <sys/stat.h>

namespace tls_test {

using namespace gapless::test;
using namespace std::chrono_literals;

using tcp = boost::asio::ip::tcp;

constexpr std::string_view readiness{"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"};

tcp::endpoint to_endpoint(std::string const& address)
{
    std::uint16_t port{};
    auto const* end = address.data() + address.size();
    std::from_chars(address.data() + address.rfind(':') + 1, end, port);
    return {boost::asio::ip::address_v4::loopback(), port};
}

/// What the program says when it is started with these options and ends by itself.
process_end start_and_end(std::vector<std::string> const& options)
{
    process_start start;
    start.words = {program_path("gaplessd")};
    start.words.insert(start.words.end(), options.begin(), options.end());
    start.environment = {{"GAPLESS_CONFIG", std::nullopt}, {"GAPLESS_LISTEN", std::nullopt}};
    return run_program(start);
}

/// An instance that speaks TLS, and clients of it.
struct tls_bench : database_bench
{
    tls_bench()
    {
        create_series("s", {{100, 299'999}});
        REQUIRE(eventually([&] { return ask(connect(), readiness).status == 200; }));
    }

    tls_client connect(tls_wish const& wish = {})
    {
        tls_client client{io, to_endpoint(service.address()), wish};
        auto const failure = client.shake_hands();
        CHECK(failure == "");
        return client;
    }

    static raw_answer ask(tls_client&& client, std::string_view request)
    {
        client.send(request);
        return client.receive();
    }

    std::string issue_request(std::string const& key, int count) const
    {
        auto const body = R"({"count":)" + std::to_string(count) + "}";
        return "POST /v1/series/s/numbers?numbers=true HTTP/1.1\r\nHost: localhost\r\n"
               "Authorization: Bearer " +
               shop.token + "\r\nIdempotency-Key: " + key +
               "\r\nContent-Type: application/json\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body;
    }

    certificate_files files;
    credential shop{create_token("shop")};
    service_process service{url(), {"--tls-cert", files.certificate(), "--tls-key", files.key()}};
    boost::asio::io_context io;
};

TEST_SUITE("http/tls_process")
{
    TEST_CASE_FIXTURE(
        tls_bench,
        "SIGHUP takes a new certificate, and keeps the old for a bad one" *
            doctest::test_suite("night")
    )
    {
        auto old = connect();
        CHECK(old.certificate_name() == "localhost");
        files.renew({.name = "renewed"});
        service.send(SIGHUP);
        REQUIRE(service.logs("\"event\":\"tls_reloaded\""));
        CHECK(connect().certificate_name() == "renewed");

        files.renew({.name = "broken", .fits_key = false});
        service.send(SIGHUP);
        REQUIRE(service.logs("\"event\":\"tls_reload_failed\""));
        REQUIRE(service.logs("is not the key of the certificate"));
        CHECK(connect().certificate_name() == "renewed");

        old.send(issue_request("over-the-old-one", 1));
        CHECK(old.receive().status == 201);
    }

    TEST_CASE_FIXTURE(
        tls_bench,
        "the health check speaks TLS, and minds no name of the certificate" *
            doctest::test_suite("night")
    )
    {
        auto const& address = service.address();
        CHECK(start_and_end({"--check", "https://" + address}).code == 0);
        CHECK(
            start_and_end({"--check",
                           "--listen",
                           address,
                           "--tls-cert",
                           files.certificate(),
                           "--tls-key",
                           files.key()})
                .code == 0
        );
        CHECK(start_and_end({"--check", "http://" + address}).code == 1);
    }

    TEST_CASE_FIXTURE(database_bench, "SIGHUP without TLS changes nothing")
    {
        start_instances(1);
        instance(0).send(SIGHUP);
        REQUIRE(instance(0).logs("\"event\":\"nothing_to_reload\""));
        CHECK(instance(0).readiness() == "200");
        CHECK(instance(0).stop() == 0);
        CHECK(instance(0).log().find("\"tls\":false") != std::string::npos);
    }

    TEST_CASE("plain HTTP beyond this machine is refused unless it is wanted")
    {
        for (auto const* address : {"192.0.2.1:8080", "0.0.0.0:8080", ":8080", "[::]:8080"})
        {
            auto const end = start_and_end({"--listen", address});
            CHECK(end.code == 2);
            for (std::string_view const told :
                 {std::string_view{address},
                  std::string_view{"--tls-cert"},
                  std::string_view{"127.0.0.1:8080"},
                  std::string_view{"--insecure"}})
                CHECK_MESSAGE(end.err.find(told) != std::string::npos, end.err);
        }
        // It goes on to the address, which no machine has.
        auto const wanted = start_and_end({"--listen", "192.0.2.1:8080", "--insecure"});
        CHECK(wanted.code == 1);
        CHECK(wanted.err.find("\"event\":\"insecure\"") != std::string::npos);
        CHECK(wanted.err.find("\"event\":\"cannot_listen\"") != std::string::npos);
        certificate_files const files;
        auto const encrypted = start_and_end(
            {"--listen",
             "192.0.2.1:8080",
             "--tls-cert",
             files.certificate(),
             "--tls-key",
             files.key()}
        );
        CHECK(encrypted.code == 1);
        CHECK(encrypted.err.find("\"event\":\"insecure\"") == std::string::npos);
        CHECK(encrypted.err.find("\"event\":\"cannot_listen\"") != std::string::npos);
    }
}

/// A PostgreSQL that speaks TLS, with a certificate of its own making.
struct encrypted_database
{
    private_cluster cluster;

    void speak_tls(certificate_files const& files) const
    {
        pqxx::connection connection{cluster.url()};
        auto const folder = run(connection, "show data_directory");
        struct stat owner
        {
        };
        REQUIRE(::stat(folder.c_str(), &owner) == 0);
        for (auto const& [from, name] :
             {std::pair{files.certificate(), "/tls.pem"}, std::pair{files.key(), "/tls.key"}})
        {
            auto const to = folder + name;
            std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
            REQUIRE(::chown(to.c_str(), owner.st_uid, owner.st_gid) == 0);
            REQUIRE(::chmod(to.c_str(), 0600) == 0);
        }
        pqxx::nontransaction plain{connection};
        gapless::execute(plain, "alter system set ssl_cert_file = 'tls.pem'");
        gapless::execute(plain, "alter system set ssl_key_file = 'tls.key'");
        gapless::execute(plain, "alter system set ssl = on");
        gapless::execute(plain, "select pg_reload_conf()");
    }

    /// The same database, where only a server with this certificate is believed.
    std::string url_trusting(std::string const& certificate) const
    {
        return connection_string(
            cluster.url("gapless"),
            {{"sslmode", "verify-full"}, {"sslrootcert", certificate}, {"gssencmode", "disable"}}
        );
    }
};

TEST_SUITE("http/tls_process")
{
    TEST_CASE_FIXTURE(
        encrypted_database,
        "with verify-full the service is ready on the right PostgreSQL only" *
            doctest::test_suite("night")
    )
    {
        cluster.create_database("gapless");
        certificate_files const right;
        speak_tls(right);
        auto const trusting = url_trusting(right.certificate());
        service_process service{trusting};
        service.wait_ready();
        pqxx::connection connection{cluster.url()};
        CHECK(
            run(connection,
                "select bool_and(s.ssl) from pg_stat_ssl s join pg_stat_activity using (pid) "
                "where datname = 'gapless'") == "t"
        );

        certificate_files const stranger;
        service_process doubting{url_trusting(stranger.certificate())};
        CHECK(doubting.logs("certificate verify failed"));
        CHECK(doubting.readiness().starts_with("503"));
        certificate_files const elsewhere{{.name = "elsewhere", .on_loopback = false}};
        speak_tls(elsewhere);
        service_process misled{url_trusting(elsewhere.certificate())};
        CHECK(misled.logs("does not match host name"));
        CHECK(misled.readiness().starts_with("503"));
    }
}

}  // namespace tls_test
