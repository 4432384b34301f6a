#include "access/token_text.hpp"
#include "fuzz/fuzz.hpp"

using namespace gapless;
using namespace gapless::test;

namespace {

constexpr std::string_view digits{"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"};
constexpr std::size_t secret_characters = 43;

void check_any_text(std::string_view text)
{
    auto const parts = read_token(text);
    if (!parts)
        return;
    expect(parts->token_id >= 1, "ids begin at 1");
    expect(to_token_text(parts->token_id, parts->secret) == text, "a token has one spelling only");
}

/// A token of ours, and the same with one byte changed, one left out and one too many.
void check_own_token(fuzz_input& input)
{
    std::int32_t id = 0;
    for (int n = 0; n < 4; ++n)
        id = static_cast<std::int32_t>(static_cast<std::uint32_t>(id) << 8 | input.byte());
    id = std::max(id & 0x7fffffff, 1);
    auto const place = input.byte();
    auto const byte = static_cast<char>(input.byte());
    std::string secret;
    while (secret.size() < secret_characters)
        secret += digits[input.byte() % digits.size()];

    auto const text = to_token_text(id, secret);
    auto const parts = read_token(text);
    expect(parts && parts->token_id == id && parts->secret == secret, "a token of ours is read");

    auto const at = place % text.size();
    auto changed = text;
    changed[at] = byte;
    expect(changed == text || !read_token(changed), "a mistyped character is noticed");
    changed = text;
    changed.erase(at, 1);
    expect(!read_token(changed), "a missing character is noticed");
    changed = text;
    changed.insert(at, 1, byte);
    expect(!read_token(changed), "a character too many is noticed");
    expect(!read_token(text + byte), "a character behind it is noticed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    fuzz_input input{data, size};
    if (size > 0 && data[0] < 32)
    {
        input.byte();
        check_own_token(input);
    }
    else
        check_any_text(input.rest());
    return 0;
}
