#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

namespace gapless {

enum class log_level
{
    debug = 1,
    info,
    warning,
    error,
};

/// A text, a number or a truth value. Texts are not copied: they must outlive the call.
class log_value
{
public:
    log_value(std::string_view text) : value_{text} {}
    log_value(std::string const& text) : value_{std::string_view{text}} {}
    log_value(char const* text) : value_{std::string_view{text}} {}
    log_value(std::same_as<bool> auto truth) : value_{truth} {}
    log_value(double number) : value_{number} {}
    template <std::integral Integer>
    requires(!std::same_as<Integer, bool>) log_value(Integer number)
        : value_{static_cast<std::int64_t>(number)}
    {
    }

    auto const& value() const noexcept { return value_; }

private:
    std::variant<std::string_view, std::int64_t, double, bool> value_;
};

struct log_field
{
    std::string_view key;  // lower case, with underscores
    log_value value;
};

using log_time = std::chrono::sys_time<std::chrono::microseconds>;

/// One JSON object without a line end: {"ts":…,"level":…,"event":…} and the fields in their order.
std::string to_log_line(
    log_time when, log_level level, std::string_view event, std::initializer_list<log_field> fields
);

/// Writes one event as one line on stderr. Never put a token or a secret into a field. Any thread;
/// does not wait for stderr: a reader that is too slow loses the oldest lines.
void log_event(
    log_level level, std::string_view event, std::initializer_list<log_field> fields = {}
);

/// Events below this level are dropped; the default is info. Any thread.
void set_log_level(log_level least) noexcept;

/// Lines lost so far because stderr was not read fast enough.
std::uint64_t lost_log_lines();

}  // namespace gapless
