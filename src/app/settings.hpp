#pragma once

#include "base/ip_address.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// A value that is not allowed. The text names the setting, the value, its source and what is
/// allowed.
struct bad_setting : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Where a value came from; a later source wins.
enum class setting_source
{
    fallback = 1,  // the built-in default
    file,          // the TOML file
    environment,   // GAPLESS_<NAME>
    option,        // --name
};

/// One setting, with the same name everywhere: option --token-life, environment GAPLESS_TOKEN_LIFE,
/// TOML token_life.
struct setting
{
    std::string name;  // snake_case
    std::string help;  // one line for --help
    bool flag{};       // an option without a value
    bool secret{};     // --print-config hides any password in it
    std::function<void(std::string_view)>
        read;  // parses text and stores it; throws std::invalid_argument with what is allowed
    std::function<std::string()> show;
    setting_source source{setting_source::fallback};
    bool list{};  // texts with commas between; in TOML also an array of them
};

/// Durations are written 250ms, 10s, 5min, 2h, 3d; whole numbers only.
std::chrono::milliseconds read_duration(std::string_view text);
std::string show_duration(std::chrono::milliseconds duration);

setting make_setting(std::string name, std::string help, std::string& place);
setting make_setting(std::string name, std::string help, bool& place);
setting make_setting(std::string name, std::string help, std::vector<ip_network>& place);

/// Origins as browsers name them (RFC 6454 section 6.2), or *, separated by commas.
setting make_setting(std::string name, std::string help, std::vector<std::string>& place);
setting make_setting(
    std::string name, std::string help, std::size_t& place, std::size_t least, std::size_t most
);
setting make_setting(
    std::string name, std::string help, std::int64_t& place, std::int64_t least, std::int64_t most
);
setting make_setting(
    std::string name,
    std::string help,
    std::chrono::milliseconds& place,
    std::chrono::milliseconds least,
    std::chrono::milliseconds most
);

/// "token_life" -> "--token-life" and "GAPLESS_TOKEN_LIFE".
std::string to_option(std::string_view name);
std::string to_environment(std::string_view name);

/// Assigns `text` to a setting, unless a stronger source has set it. Throws bad_setting.
void apply(setting& wanted, std::string_view text, setting_source source);

/// Applies every GAPLESS_* variable that names a setting. Others are ignored: GAPLESS_URL and
/// GAPLESS_TOKEN are for clients.
void apply_environment(std::vector<setting>& settings);

/// Takes a TOML file; keys at the top level, one per setting. Throws bad_setting for an unknown
/// key, or a value of another kind, naming file and line.
void apply_file(std::vector<setting>& settings, std::string const& path);

/// One line per setting: name = value  # source. TOML, so that it can serve as a settings file.
std::string show_all(std::vector<setting> const& settings);

}  // namespace gapless
