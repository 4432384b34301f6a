#include "harness/certificate.hpp"
#include "http/tls.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

namespace tls_context_test {

using namespace gapless;
using namespace gapless::test;
using namespace std::chrono_literals;

/// "", or what is wrong, with the folder of the files taken out.
std::string refusal_of(std::string const& certificate, std::string const& key)
{
    try
    {
        tls_context const context{certificate, key};
        return "";
    }
    catch (bad_certificate const& error)
    {
        std::string text = error.what();
        auto const folder = std::filesystem::path{certificate}.parent_path().string() + "/";
        for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder))
            text.erase(at, folder.size());
        return text;
    }
}

std::string refusal_of(certificate_files const& files)
{
    return refusal_of(files.certificate(), files.key());
}

std::string refusal_of(certificate_wish const& wish)
{
    return refusal_of(certificate_files{wish});
}

TEST_SUITE("http/tls_context_http")
{
    TEST_CASE("a certificate with its key is taken, and says when it ends")
    {
        certificate_files const files{{.ends = 2h}};
        tls_context const context{files.certificate(), files.key()};
        auto const left = context.expires() - std::chrono::system_clock::now();
        CHECK(left > 2h - 1min);
        CHECK(left <= 2h);
        CHECK_FALSE(context.group_reads_key());
    }

    TEST_CASE("what cannot be used is refused with the file and the cause")
    {
        certificate_files const files;
        auto const missing = files.certificate() + ".missing";
        CHECK(
            refusal_of(missing, files.key()) ==
            "cert.pem.missing: cannot be read: No such file or directory"
        );
        CHECK(
            refusal_of(files.certificate(), missing) ==
            "cert.pem.missing: cannot be read: No such file or directory"
        );
        CHECK(
            refusal_of(files.key(), files.key()) ==
            "key.pem: holds no certificate in PEM: no start line"
        );
        ::chmod(files.certificate().c_str(), 0600);
        CHECK(refusal_of(files.certificate(), files.certificate())
                  .starts_with("cert.pem: holds no private key in PEM"));
        CHECK(
            refusal_of({.fits_key = false}) ==
            "key.pem: is not the key of the certificate in cert.pem: key values mismatch"
        );
        std::ofstream{files.certificate(), std::ios::app}
            << "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        CHECK(refusal_of(files).starts_with("cert.pem: an issuer's certificate cannot be read: "));
    }

    TEST_CASE("a certificate is refused before its time and after it")
    {
        CHECK(refusal_of({.begins = -2h, .ends = -1h})
                  .starts_with("cert.pem: the certificate expired at "));
        CHECK(refusal_of({.begins = 1h, .ends = 2h})
                  .starts_with("cert.pem: the certificate is not valid before "));
    }

    TEST_CASE("a key that others may read is refused")
    {
        certificate_files const files;
        for (auto const mode : {0604, 0602, 0644, 0777})
        {
            ::chmod(files.key().c_str(), static_cast<mode_t>(mode));
            CHECK(
                refusal_of(files) == "key.pem: others may read or write this key: chmod o-rwx it"
            );
        }
        ::chmod(files.key().c_str(), 0640);
        CHECK(refusal_of(files) == "");
    }

    TEST_CASE("issuers' certificates are taken from the same file")
    {
        certificate_files const files;
        certificate_files const issuer{{.name = "issuer"}};
        std::ofstream{files.certificate(), std::ios::app}
            << std::ifstream{issuer.certificate()}.rdbuf();
        CHECK(refusal_of(files) == "");
    }
}

}  // namespace tls_context_test
