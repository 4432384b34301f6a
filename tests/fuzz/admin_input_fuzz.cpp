#include "base/json_text.hpp"
#include "base/limits.hpp"
#include "base/moment.hpp"
#include "cli/argument.hpp"
#include "formats/catalogue.hpp"
#include "fuzz/fuzz.hpp"
#include "http/route.hpp"
#include "numbers/issuance_json.hpp"
#include "numbers/number_range.hpp"

#include <algorithm>
#include <iterator>

using namespace gapless;
using namespace gapless::test;
using boost::beast::http::verb;

namespace {

constexpr std::array<std::string_view, 3> query_names{"after", "limit", "dry_run"};
constexpr std::array rows{
    route{verb::get, "/v1/series/{series}/numbers/{number}", std::nullopt},
    route{verb::post, "/v1/series/{series}/numbers", std::nullopt},
    route{verb::get, "/v1/series/{series}", std::nullopt},
    route{verb::get, "/", std::nullopt},
};

bool is_plain(std::string_view text)
{
    return is_utf8(text) && std::ranges::none_of(text, [](unsigned char c) {
               return (c < 0x20 && c != 0x1d) || c == 0x7f;
           });
}

void check_percent(std::string_view text)
{
    std::string encoded;
    append_percent_encoded(encoded, text);
    auto const back = decode_percent(encoded);
    expect(back.has_value() == is_plain(text), "what is a text can be in a target");
    expect(back.has_error() || *back == text, "decoding undoes encoding");
    auto const decoded = decode_percent(text);
    expect(decoded.has_error() || is_plain(*decoded), "a target stands for a text");
}

/// A path that is found stands for values which make the same path again.
void check_path(std::string_view path)
{
    // read_head lets printable ASCII through and nothing else.
    if (std::ranges::any_of(path, [](char c) { return c <= ' ' || c > '~'; }))
        return;
    path_values values;
    std::string allow;
    auto const found = find_route(rows, verb::get, path, values, allow);
    if (found.has_error())
        return;
    std::string again;
    std::size_t place = 0;
    std::string_view pattern = (*found)->pattern;
    while (!pattern.empty())
    {
        auto const fixed = pattern.substr(0, pattern.find('{'));
        again += fixed;
        pattern.remove_prefix(fixed.size());
        if (pattern.empty())
            break;
        expect(!values[place].empty(), "a value is never empty");
        append_percent_encoded(again, values[place++]);
        pattern.remove_prefix(pattern.find('}') + 1);
    }
    path_values others;
    auto const found_again = find_route(rows, verb::get, again, others, allow);
    expect(found_again.has_value() && *found_again == *found, "the same row is found again");
    for (std::size_t n = 0; n < place; ++n)
        expect(values[n] == others[n], "with the same values");
}

void check_query(std::string_view query)
{
    query_values values;
    named_values more;
    if (values.read(query, query_names, &more).has_error())
        return;
    std::string again;
    auto const add = [&](std::string_view name, std::string_view value) {
        again += again.empty() ? "" : "&";
        append_percent_encoded(again, name);
        again += '=';
        append_percent_encoded(again, value);
    };
    for (auto const name : query_names)
        if (auto const value = values.find(name))
            add(name, *value);
    for (auto const& [name, value] : more)
        add(name, value);
    query_values others;
    named_values other_more;
    expect(others.read(again, query_names, &other_more).has_value(), "what was read reads again");
    expect(more == other_more, "with the same values");
    for (auto const name : query_names)
        expect(values.find(name) == others.find(name), "with the same values");
    expect(more.empty() == values.read(query, query_names).has_value(), "unknown ones are refused");
}

void check_ranges(std::string_view text)
{
    static series_entry const series{
        1, "s", *bound_format::bind(*find_format("upu-s10"), {{"svc", "RB"}, {"cc", "DE"}})};
    std::vector<numbers::number_range> texts;
    fuzz_input input{reinterpret_cast<std::uint8_t const*>(text.data()), text.size()};
    while (!input.rest().empty())
    {
        std::string first{input.line()};
        std::string last{input.line()};
        texts.push_back({first, last.empty() ? first : std::move(last)});
    }
    auto const ranges = numbers::read_serial_ranges(series, texts);
    if (ranges.has_error())
        return expect(!ranges.error().detail.empty(), "a refusal says why");
    expect(ranges->size() == texts.size(), "every range is read");
    for (auto const& [first, last] : *ranges)
        expect(0 <= first && first <= last && last <= serial_max, "a range runs upwards");
    std::string json;
    append_serial_ranges(series, *ranges, json);
    expect(json.starts_with('[') && json.ends_with(']'), "ranges are written");
}

void check_moment(std::string_view text)
{
    using namespace std::chrono;
    if (auto const moment = read_rfc3339(text))
        expect(read_rfc3339(to_rfc3339(*moment)) == moment, "a moment is read as it is shown");
    if (auto const moment = written::read_moment(text); moment.has_value())
        expect(written::read_moment(*moment).value() == *moment, "what was written is canonical");
    database_time const now{sys_days{year{2026} / 11 / 21} + hours{12}};
    auto const expiry = cli::read_expiry(text, now);
    expect(expiry.has_error() || written::read_moment(*expiry).has_value(), "and so is an expiry");
}

void check_argument(std::string_view text)
{
    // People write digits in groups: "4901 2142", "1.234.567".
    auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
    auto const serial = cli::read_serial(text);
    std::string canonical;
    std::ranges::copy_if(text, std::back_inserter(canonical), is_digit);
    auto const digits = !text.empty() && canonical == text;
    canonical.erase(0, std::min(canonical.find_first_not_of('0'), canonical.size()));
    if (canonical.empty())
        canonical = "0";
    constexpr std::string_view largest{"9223372036854775806"};
    auto const fits = canonical.size() < largest.size() ||
                      (canonical.size() == largest.size() && canonical <= largest);
    expect(!digits || serial.has_value() == fits, "digits that fit are a serial");
    // A scanner's "]E0" before them is none of their digits.
    auto const is_scanned = text.find(']') != text.npos;
    expect(
        serial.has_error() || is_scanned || std::to_string(*serial) == canonical, "with their value"
    );
    auto const count = cli::read_stated_count(text);
    expect(count.has_error() || is_scanned || *count == canonical, "a count is canonical");

    expect(cli::is_text(text) == (is_utf8(text) && text.find('\0') == text.npos), "UTF-8 is UTF-8");
    auto const reference = cli::read_reference(text);
    expect(
        reference.has_error() ||
            (is_plain(text) && reference->value_or("") == text && text.size() <= 255 * 4),
        "a reference is a text"
    );
    auto const quoted = cli::to_quoted(text);
    // Sixty characters; one that nobody sees is shown as \u205f.
    expect(is_plain(quoted) && quoted.size() < 60 * 6 + 10, "what is shown is a short text");
    std::string json;
    append_json_string(json, text);
    expect(is_plain(json), "what is answered is a text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    constexpr std::array checks{
        check_percent, check_path, check_query, check_ranges, check_moment, check_argument};
    fuzz_input input{data, size};
    auto const choice = input.byte() % checks.size();
    checks[choice](input.rest());
    return 0;
}
