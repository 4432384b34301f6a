#include "record/not_json.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"

namespace gapless {

namespace {

constexpr std::string_view blanks{" \t\r\n"};

/// The mistake that people usually make at such a place; empty: none is known.
std::string_view usual_slip(std::string_view before, char c) noexcept
{
    auto const last = before.find_last_not_of(blanks);
    if (last == before.npos)
        return "a JSON object begins with {";
    if (c == '/' || c == '#')
        return "JSON has no comments";
    if ((c == '}' || c == ']') && before[last] == ',')
        return "the comma before it is one too many";
    if (static_cast<unsigned char>(c) < 0x20)
        return R"(in a string, a line break is written \n, a tab \t)";
    if (before.size() >= 6 && before.substr(before.size() - 6).starts_with("\\u"))
        return R"(\ud800 to \udfff stand in pairs, as in \ud83d\ude00)";
    if (before.ends_with('\\'))
        return R"(in a string, a backslash is written \\)";
    if (c == '+' || (c >= '0' && c <= '9'))
        return "a number has no plus sign and no zero in front";
    if (is_letter(c) || c == '_')
        return "names and strings stand in double quotes; true, false and null are written small";
    if (c == '\'' || static_cast<unsigned char>(c) >= 0x80)
        return R"(names and strings stand in double quotes ("))";
    return {};
}

}  // namespace

std::string why_not_text(std::string_view body)
{
    if (body.starts_with("\x1f\x8b"))
        return "The body is compressed (gzip): send it uncompressed.";
    // nlohmann 3.11 skips a byte order mark, and takes a NUL as the end of the text.
    if (body.starts_with("\xef\xbb\xbf"))
        return "The body begins with a byte order mark: send UTF-8 without one.";
    auto const zero = body.find('\0');
    if (zero < 4 || body.starts_with("\xff\xfe") || body.starts_with("\xfe\xff"))
        return "The body is UTF-16 or UTF-32: JSON is sent in UTF-8.";
    return zero == body.npos ? "" : "The body holds a NUL byte.";
}

std::string why_not_json(std::string_view body, std::size_t byte, bool ended)
{
    if (!is_utf8(body))
        return "The body is not UTF-8, as JSON has to be; Latin-1 or Windows-1252? It cannot be "
               "read at byte " +
               std::to_string(byte) + '.';
    std::string text{"The body is not JSON: "};
    if (body.find_first_not_of(blanks) == body.npos)
        return text + "it is empty.";
    if (byte > body.size())
        return text + "it ends too early.";
    text += "it cannot be read at byte " + std::to_string(byte);
    auto const slip = ended ? std::string_view{"something follows after its end"}
                            : usual_slip(body.substr(0, byte - 1), body[byte - 1]);
    return text.append(slip.empty() ? "" : ": ").append(slip) + '.';
}

}  // namespace gapless
