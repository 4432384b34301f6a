#include "base/contract.hpp"
#include "webhooks/webhook_signature.hpp"

#include <doctest/doctest.h>

#include <array>
#include <openssl/evp.h>
#include <vector>

namespace webhook_signature_test {

using namespace gapless;

/// The key of a secret as Standard Webhooks writes it: the Base64 behind "whsec_". Its length has
/// no rest.
std::string key_of(std::string const& secret)
{
    auto const text = secret.substr(std::string_view{"whsec_"}.size());
    std::vector<unsigned char> bytes(text.size());
    auto const count = EVP_DecodeBlock(
        bytes.data(),
        reinterpret_cast<unsigned char const*>(text.data()),
        static_cast<int>(text.size())
    );
    return {reinterpret_cast<char const*>(bytes.data()), static_cast<std::size_t>(count)};
}

std::string const key = key_of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
constexpr signed_message message{
    .id = "msg_p5jXN8AQM9LWM0D4loKWxJek",
    .sent_seconds = 1'614'265'330,
    .body = R"({"test": 2432232314})"};
constexpr std::string_view signature{"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="};

std::string sign_with(signed_message const& signed_one, std::vector<std::string> const& keys)
{
    return sign(signed_one, keys);
}

TEST_SUITE("webhooks/webhook_signature")
{
    TEST_CASE("messages are signed as the vectors of Standard Webhooks have it")
    {
        CHECK(key.size() == 24);
        CHECK(sign_with(message, {key}) == signature);
        CHECK(
            sign_with(
                {.id = "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
                 .sent_seconds = 1'649'367'553,
                 .body = R"({"email":"test@example.com","username":"test_user"})"},
                {key_of("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")}
            ) == "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw="
        );
    }

    TEST_CASE("id, moment, body and key all change the signature")
    {
        auto other = message;
        other.id = "msg_p5jXN8AQM9LWM0D4loKWxJel";
        CHECK(sign_with(other, {key}) != signature);
        other = message;
        ++other.sent_seconds;
        CHECK(sign_with(other, {key}) != signature);
        other = message;
        other.body = R"({"test": 2432232315})";
        CHECK(sign_with(other, {key}) != signature);
        CHECK(sign_with(message, {key + 'x'}) != signature);
    }

    TEST_CASE("two secrets make two signatures with a blank between, in their order")
    {
        std::string const old_key(32, 'o');
        auto const old_signature = sign_with(message, {old_key});
        CHECK(sign_with(message, {key, old_key}) == std::string{signature} + ' ' + old_signature);
        CHECK(sign_with(message, {old_key, key}) == old_signature + ' ' + std::string{signature});
    }

    TEST_CASE("bytes of every value can be in a key and in a body")
    {
        std::string every;
        for (int byte = 0; byte < 256; ++byte)
            every += static_cast<char>(byte);
        CHECK(
            sign_with({.id = "i", .sent_seconds = 0, .body = every}, {every}) ==
            "v1,Pp7gQe0Lh5aJHqLPbxCE0l1pM/F4QMOuJV6t81F95dw="
        );
    }

    TEST_CASE("nothing is signed with an empty key")
    {
        CHECK_THROWS_AS(sign_with(message, {""}), contract_violation);
    }
}

}  // namespace webhook_signature_test
