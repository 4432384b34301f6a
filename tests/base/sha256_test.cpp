#include "base/sha256.hpp"

#include <boost/algorithm/hex.hpp>
#include <doctest/doctest.h>

#include <iterator>
#include <string>
#include <thread>

namespace sha256_test {

using namespace gapless;

std::string hex(sha256_digest const& digest)
{
    std::string text;
    boost::algorithm::hex_lower(digest, std::back_inserter(text));
    return text;
}

TEST_SUITE("base/sha256")
{
    // The examples of FIPS 180-4 that NIST publishes.
    TEST_CASE("the digests of FIPS 180-4")
    {
        CHECK(
            hex(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        CHECK(
            hex(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        CHECK(
            hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        CHECK(
            hex(sha256(std::string(1'000'000, 'a'))) ==
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }

    TEST_CASE("each thread has tools of its own")
    {
        std::string other;
        std::array<unsigned char, 3> const bytes{'a', 'b', 'c'};
        std::thread{[&] { other = hex(sha256(bytes)); }}.join();
        CHECK(other == hex(sha256("abc")));
    }
}

}  // namespace sha256_test
