#include "app/settings.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "postgres/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <toml++/toml.h>

namespace gapless {

namespace {

struct unit
{
    std::string_view name;
    std::int64_t milliseconds;
};

constexpr std::array units{
    unit{"ms", 1},
    unit{"s", 1'000},
    unit{"min", 60'000},
    unit{"h", 3'600'000},
    unit{"d", 86'400'000}};

std::string_view name_of(setting_source source) noexcept
{
    switch (source)
    {
    case setting_source::fallback: return "default";
    case setting_source::file: return "file";
    case setting_source::environment: return "environment";
    case setting_source::option: return "option";
    }
    return "";
}

[[noreturn]] void not_allowed(std::string const& allowed)
{
    throw std::invalid_argument{"allowed: " + allowed};
}

setting* find(std::vector<setting>& settings, std::string_view name)
{
    auto const found = std::ranges::find(settings, name, &setting::name);
    return found == settings.end() ? nullptr : &*found;
}

/// `list`: an array of texts is taken for them with commas between.
std::string to_text(toml::node const& node, bool list)
{
    auto const* texts = list ? node.as_array() : nullptr;
    auto const is_text = [](toml::node const& each) { return each.is_string(); };
    if (texts != nullptr && std::ranges::all_of(*texts, is_text))
    {
        std::string all;
        for (auto const& each : *texts)
            all += (all.empty() ? "" : ",") + each.as_string()->get();
        return all;
    }
    if (list && !node.is_string())
        not_allowed(R"(a list such as ["a", "b"], or a string with commas between)");
    if (auto const* text = node.as_string())
        return text->get();
    if (auto const* number = node.as_integer())
        return std::to_string(number->get());
    if (auto const* truth = node.as_boolean())
        return truth->get() ? "true" : "false";
    not_allowed("a string, a whole number, true or false");
}

}  // namespace

std::chrono::milliseconds read_duration(std::string_view text)
{
    std::int64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    auto const name = text.substr(static_cast<std::size_t>(end - text.data()));
    auto const found = std::ranges::find(units, name, &unit::name);
    if (error != std::errc{} || value < 0 || found == units.end() ||
        value > std::numeric_limits<std::int64_t>::max() / found->milliseconds)
        not_allowed("a whole number with ms, s, min, h or d, such as 250ms or 10s");
    return std::chrono::milliseconds{value * found->milliseconds};
}

std::string show_duration(std::chrono::milliseconds duration)
{
    auto const largest = std::find_if(units.rbegin(), units.rend(), [&](unit const& u) {
        return duration.count() % u.milliseconds == 0;
    });
    if (duration.count() == 0)
        return "0s";
    return std::to_string(duration.count() / largest->milliseconds) + std::string{largest->name};
}

setting make_setting(std::string name, std::string help, std::string& place)
{
    return {
        std::move(name),
        std::move(help),
        false,
        false,
        [&place](std::string_view text) { place = text; },
        [&place] { return place; }};
}

setting make_setting(std::string name, std::string help, bool& place)
{
    auto const read = [&place](std::string_view text) {
        if (text == "true" || text == "1" || text == "yes" || text == "on")
            place = true;
        else if (text == "false" || text == "0" || text == "no" || text == "off")
            place = false;
        else
            not_allowed("true or false");
    };
    return {std::move(name), std::move(help), true, false, read, [&place] {
                return std::string{place ? "true" : "false"};
            }};
}

setting make_setting(std::string name, std::string help, std::vector<ip_network>& place)
{
    auto const read = [&place](std::string_view text) {
        auto networks = read_ip_networks(text);
        if (!networks)
            not_allowed("networks with commas between, such as 10.0.0.0/8,fd00::/8");
        place = std::move(*networks);
    };
    return {
        .name = std::move(name),
        .help = std::move(help),
        .read = read,
        .show = [&place] { return to_text(place); },
        .list = true};
}

namespace {

/// scheme://host[:port] in lower case, or *.
bool is_origin(std::string_view text)
{
    auto const colon = text.find("://");
    if (text == "*")
        return true;
    if (colon == std::string_view::npos || colon == 0 || colon + 3 == text.size())
        return false;
    return std::ranges::all_of(text.substr(colon + 3), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view{"-._:[]"}.find(c) != std::string_view::npos;
    });
}

}  // namespace

setting make_setting(std::string name, std::string help, std::vector<std::string>& place)
{
    auto const read = [&place](std::string_view text) {
        std::vector<std::string> origins;
        while (!text.empty())
        {
            auto const each = text.substr(0, text.find(','));
            text.remove_prefix(std::min(each.size() + 1, text.size()));
            auto const begin = std::min(each.find_first_not_of(' '), each.size());
            auto const end = each.find_last_not_of(' ') + 1;
            if (begin >= end || !is_origin(each.substr(begin, end - begin)))
                not_allowed("origins with commas between, such as https://shop.example, or *");
            origins.emplace_back(each.substr(begin, end - begin));
        }
        place = std::move(origins);
    };
    auto const show = [&place] {
        std::string all;
        for (auto const& each : place)
            all += (all.empty() ? "" : ",") + each;
        return all;
    };
    return {
        .name = std::move(name), .help = std::move(help), .read = read, .show = show, .list = true};
}

namespace {

template <class Integer>
setting make_integer_setting(
    std::string name, std::string help, Integer& place, Integer least, Integer most
)
{
    auto const read = [&place, least, most](std::string_view text) {
        auto const value = read_decimal<Integer>(text);
        if (!value || *value < least || *value > most)
            not_allowed(
                "a whole number from " + std::to_string(least) + " to " + std::to_string(most)
            );
        place = *value;
    };
    return {std::move(name), std::move(help), false, false, read, [&place] {
                return std::to_string(place);
            }};
}

/// True for what TOML reads as a number and gives back as it was.
bool is_toml_integer(std::string_view text)
{
    constexpr std::size_t digits_max = 18;
    return !text.empty() && text.size() <= digits_max && (text == "0" || text.front() != '0') &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

setting make_setting(
    std::string name, std::string help, std::size_t& place, std::size_t least, std::size_t most
)
{
    return make_integer_setting(std::move(name), std::move(help), place, least, most);
}

setting make_setting(
    std::string name, std::string help, std::int64_t& place, std::int64_t least, std::int64_t most
)
{
    return make_integer_setting(std::move(name), std::move(help), place, least, most);
}

setting make_setting(
    std::string name,
    std::string help,
    std::chrono::milliseconds& place,
    std::chrono::milliseconds least,
    std::chrono::milliseconds most
)
{
    auto const read = [&place, least, most](std::string_view text) {
        auto const value = read_duration(text);
        if (value < least || value > most)
            not_allowed(show_duration(least) + " to " + show_duration(most));
        place = value;
    };
    return {std::move(name), std::move(help), false, false, read, [&place] {
                return show_duration(place);
            }};
}

std::string to_option(std::string_view name)
{
    std::string option = "--" + std::string{name};
    std::ranges::replace(option, '_', '-');
    return option;
}

std::string to_environment(std::string_view name)
{
    return "GAPLESS_" + to_upper(name);
}

void apply(setting& wanted, std::string_view text, setting_source source)
{
    if (source < wanted.source)
        return;
    try
    {
        wanted.read(text);
        wanted.source = source;
    }
    catch (std::invalid_argument const& error)
    {
        throw bad_setting{
            wanted.name + " = '" + std::string{text} + "' (" + std::string{name_of(source)} +
            "): " + error.what()};
    }
}

void apply_environment(std::vector<setting>& settings)
{
    for (auto& wanted : settings)
        if (auto const* text = std::getenv(to_environment(wanted.name).c_str());
            text != nullptr && *text != '\0')
            apply(wanted, text, setting_source::environment);
}

void apply_file(std::vector<setting>& settings, std::string const& path)
{
    std::error_code unknown;  // why, the stream says
    if (std::filesystem::is_directory(path, unknown))
        throw bad_setting{path + ": is a directory, not a file of settings"};
    if (!std::ifstream{path})
        throw bad_setting{path + ": cannot be opened: " + std::generic_category().message(errno)};
    try
    {
        for (auto const& [key, node] : toml::parse_file(path))
        {
            auto* const wanted = find(settings, key.str());
            if (wanted == nullptr || wanted->name == "config")
                throw bad_setting{
                    path + ":" + std::to_string(node.source().begin.line) +
                    (wanted == nullptr ? ": there is no setting '" + std::string{key.str()} + "'"
                                       : ": a file of settings names no other one")};
            try
            {
                apply(*wanted, to_text(node, wanted->list), setting_source::file);
            }
            catch (std::invalid_argument const& error)
            {
                throw bad_setting{
                    path + ":" + std::to_string(node.source().begin.line) + ": " + wanted->name +
                    ": " + error.what()};
            }
        }
    }
    catch (toml::parse_error const& error)
    {
        throw bad_setting{
            path + ":" + std::to_string(error.source().begin.line) + ": " +
            std::string{error.description()} +
            "; texts stand in quotes: listen = \"127.0.0.1:8080\""};
    }
}

std::string show_all(std::vector<setting> const& settings)
{
    std::string all;
    for (auto const& shown : settings)
    {
        auto const value = shown.secret ? to_public_options(shown.show()) : shown.show();
        auto const bare = shown.flag || is_toml_integer(value);
        all += shown.name + " = ";
        if (bare)
            all += value;
        else
            append_json_string(all, value);  // its escapes are those of TOML
        all += "  # " + std::string{name_of(shown.source)} + "\n";
    }
    return all;
}

}  // namespace gapless
