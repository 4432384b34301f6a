#include "base/log.hpp"

#include "base/json_text.hpp"

#include <atomic>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <spdlog/async.h>
#include <spdlog/sinks/stdout_sinks.h>

namespace gapless {

namespace {

constexpr std::size_t waiting_lines_max = 8'192;

std::atomic<log_level> least_level{log_level::info};

std::string_view name_of(log_level level) noexcept
{
    switch (level)
    {
    case log_level::debug: return "debug";
    case log_level::info: return "info";
    case log_level::warning: return "warning";
    case log_level::error: return "error";
    }
    return "error";
}

/// The queue and the thread that writes. The thread pool's destructor writes the remaining lines,
/// so none is lost when the program returns from main.
struct writer
{
    std::shared_ptr<spdlog::details::thread_pool> threads{
        std::make_shared<spdlog::details::thread_pool>(waiting_lines_max, 1)};
    std::shared_ptr<spdlog::async_logger> logger{std::make_shared<spdlog::async_logger>(
        "gapless",
        std::make_shared<spdlog::sinks::stderr_sink_mt>(),
        threads,
        spdlog::async_overflow_policy::overrun_oldest
    )};

    writer()
    {
        logger->set_pattern("%v");
        logger->set_level(spdlog::level::trace);
    }
};

writer& the_writer()
{
    static writer instance;
    return instance;
}

struct append_value
{
    std::string& line;

    void operator()(std::string_view text) const { append_json_string(line, text); }
    void operator()(bool truth) const { line += truth ? "true" : "false"; }
    void operator()(std::int64_t number) const
    {
        fmt::format_to(std::back_inserter(line), "{}", number);
    }
    void operator()(double number) const
    {
        // JSON cannot represent infinity and not-a-number.
        if (number - number == 0)
            fmt::format_to(std::back_inserter(line), "{}", number);
        else
            line += "null";
    }
};

}  // namespace

std::string to_log_line(
    log_time when, log_level level, std::string_view event, std::initializer_list<log_field> fields
)
{
    auto const second = std::chrono::floor<std::chrono::seconds>(when);
    std::string line;
    line.reserve(160);
    fmt::format_to(
        std::back_inserter(line),
        R"({{"ts":"{:%Y-%m-%dT%H:%M:%S}.{:06}Z","level":"{}","event":)",
        fmt::gmtime(std::chrono::system_clock::to_time_t(second)),
        (when - second).count(),
        name_of(level)
    );
    append_json_string(line, event);
    for (auto const& field : fields)
    {
        line += ',';
        append_json_string(line, field.key);
        line += ':';
        std::visit(append_value{line}, field.value.value());
    }
    line += '}';
    return line;
}

void log_event(log_level level, std::string_view event, std::initializer_list<log_field> fields)
{
    if (level < least_level.load(std::memory_order_relaxed))
        return;
    auto const now =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    the_writer().logger->log(spdlog::level::info, to_log_line(now, level, event, fields));
}

void set_log_level(log_level least) noexcept
{
    least_level.store(least, std::memory_order_relaxed);
}

std::uint64_t lost_log_lines()
{
    return the_writer().threads->overrun_counter();
}

}  // namespace gapless
