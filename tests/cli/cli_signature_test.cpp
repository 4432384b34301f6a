#include "cli_anchored.hpp"

namespace gapless::test::cli_signature_test {

/// A pair of keys as openssl makes them.
struct keys
{
    keys()
    {
        openssl({"genpkey", "-algorithm", "ed25519", "-out", secret.path()});
        openssl({"pkey", "-in", secret.path(), "-pubout", "-out", open.path()});
    }

    static void openssl(std::vector<std::string> words)
    {
        words.insert(words.begin(), "/usr/bin/openssl");
        process_start start;
        start.words = std::move(words);
        REQUIRE(run_program(start).code == 0);
    }

    temporary_file secret{"", ".pem"};
    temporary_file open{"", ".pem"};
};

TEST_SUITE("app/cli/signature")
{
    TEST_CASE("a signature is checked, a missing or a wrong one is a finding")
    {
        anchored gapless;
        keys const mine;
        keys const others;
        gapless.issue("3");
        gapless.anchor({"--sign-key", mine.secret.path()});
        CHECK(gapless.found() == "gapless");
        CHECK(gapless.found({"--public-key", mine.open.path()}) == "gapless");
        CHECK(contains(
            gapless.found({"--public-key", others.open.path()}), "not signed with this key"
        ));
        gapless.anchor();
        CHECK(contains(
            gapless.found({"--public-key", mine.open.path()}), ":3: the anchor is not signed"
        ));
        auto text = gapless.text();
        text.replace(text.find("\"ordinal\":\"3\""), 13, "\"ordinal\":\"2\"");
        gapless.set_text(text);
        CHECK(contains(gapless.found({"--public-key", mine.open.path()}), "or was changed"));
    }

    TEST_CASE("openssl alone confirms a signature")
    {
        anchored gapless;
        keys const mine;
        gapless.anchor({"--sign-key", mine.secret.path()});
        auto const line = gapless.text().substr(0, gapless.text().find('\n'));
        auto const place = line.rfind(R"(,"signature":")");
        REQUIRE(place != std::string::npos);
        temporary_file const signed_text{line.substr(0, place) + "}", ".txt"};
        temporary_file const encoded{line.substr(place + 14, 88) + "\n", ".b64"};
        temporary_file const signature{"", ".bin"};
        keys::openssl({"base64", "-d", "-A", "-in", encoded.path(), "-out", signature.path()});
        keys::openssl(
            {"pkeyutl",
             "-verify",
             "-pubin",
             "-inkey",
             mine.open.path(),
             "-rawin",
             "-in",
             signed_text.path(),
             "-sigfile",
             signature.path()}
        );
    }
}

}  // namespace gapless::test::cli_signature_test
