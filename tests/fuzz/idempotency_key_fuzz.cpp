#include "base/idempotency_key.hpp"
#include "base/limits.hpp"
#include "fuzz/fuzz.hpp"

#include <optional>

using namespace gapless;
using namespace gapless::test;

namespace {

/// The text a header stands for as RFC 8941 3.3.3 and our limits have it, or none. Written apart
/// from the reader, as a machine of states.
std::optional<std::string> meant(std::string_view header)
{
    enum class place
    {
        bare,
        inside,
        escaped,
        behind
    };
    auto const quoted = !header.empty() && header.front() == '"';
    auto now = quoted ? place::inside : place::bare;
    std::string text;
    for (auto const each : header.substr(quoted ? 1 : 0))
    {
        auto const special = each == '"' || each == '\\';
        if (each < 0x20 || each > 0x7e || now == place::behind ||
            (now == place::escaped && !special))
            return std::nullopt;
        if (now == place::inside && special)
            now = each == '"' ? place::behind : place::escaped;
        else
        {
            text += each;
            now = now == place::escaped ? place::inside : now;
        }
    }
    auto const complete = now == place::bare || now == place::behind;
    if (!complete || text.empty() || text.size() > idempotency_key_characters_max)
        return std::nullopt;
    return text;
}

std::string in_quotes(std::string_view text)
{
    std::string header{'"'};
    for (auto const each : text)
    {
        if (each == '"' || each == '\\')
            header += '\\';
        header += each;
    }
    return header + '"';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    auto const header = fuzz_input{data, size}.rest();
    auto const key = read_idempotency_key(header);
    auto const text = meant(header);
    expect(key.has_value() == text.has_value(), "exactly the keys of the contract are read");
    if (!text)
    {
        expect(key.error().kind == refusal_kind::malformed_request, "the refusal names the fault");
        return 0;
    }
    auto const quoted = read_idempotency_key(in_quotes(*text));
    expect(quoted.has_value() && *quoted == *key, "a key in quotes is the same key");
    if (text->front() != '"')
    {
        auto const bare = read_idempotency_key(*text);
        expect(bare.has_value() && *bare == *key, "a bare key is the same key");
    }
    // Hexadecimal digits may differ in case only where the key is a UUID, whose bytes are the key.
    auto other = *text;
    other.back() = other.back() == 'x' ? 'y' : 'x';
    auto const changed = read_idempotency_key(in_quotes(other));
    expect(changed.has_value() && *changed != *key, "another key is another key");
    return 0;
}
