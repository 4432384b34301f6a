#include "cli/metrics_file.hpp"

#include "base/text.hpp"
#include "cli/whole_file.hpp"

#include <pqxx/except>

#include <chrono>
#include <fmt/format.h>
#include <string_view>

namespace gapless::cli {

namespace {

constexpr std::size_t metrics_bytes_max = 65'536;

/// The whole number under a name in the file; nullopt: no file, or other text.
std::optional<std::uint64_t> find_value(std::string_view text, std::string_view name)
{
    while (!text.empty())
    {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (!line.starts_with(name) || line.substr(name.size(), 1) != " ")
            continue;
        line.remove_prefix(name.size() + 1);
        if (auto const value = read_decimal<std::uint64_t>(line))
            return value;
    }
    return std::nullopt;
}

/// The text written before; empty if nothing can be read.
std::string read_earlier(std::string const& file)
{
    try
    {
        return read_whole_file(file, metrics_bytes_max);
    }
    catch (command_failed const&)
    {
        return {};
    }
}

std::uint64_t seconds_now()
{
    auto const since = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(since).count(
    ));
}

class metrics_text
{
public:
    explicit metrics_text(std::string const& command) : prefix_{"gapless_" + command + '_'} {}

    std::string name_of(std::string_view name) const { return fmt::format("{}{}", prefix_, name); }

    void add(std::string_view name, std::string_view help, std::string const& value)
    {
        text_ +=
            fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n{0} {2}\n", name_of(name), help, value);
    }

    std::string const& text() const noexcept { return text_; }

private:
    std::string prefix_;
    std::string text_;
};

void write_metrics(
    std::string const& command,
    std::string const& file,
    measured_run const& run,
    std::chrono::duration<double> took
)
{
    auto const earlier = read_earlier(file);
    auto const now = seconds_now();
    metrics_text text{command};
    auto const success = std::string_view{"last_success_timestamp_seconds"};
    auto const succeeded =
        run.code == exit_code::ok ? now : find_value(earlier, text.name_of(success)).value_or(0);
    text.add(success, "When it last ended with exit code 0; 0: never", std::to_string(succeeded));
    text.add("last_run_timestamp_seconds", "When it last ended", std::to_string(now));
    text.add("exit_code", "Exit code of the last run", std::to_string(static_cast<int>(run.code)));
    text.add("duration_seconds", "Of the last run", fmt::format("{:.3f}", took.count()));
    if (auto const findings =
            run.findings ? run.findings : find_value(earlier, text.name_of("findings")))
        text.add("findings", "Of the last run that could tell", std::to_string(*findings));
    replace_whole_file(file, text.text());
}

}  // namespace

parameter metrics_file_parameter(std::string& into)
{
    return {
        .name = "--metrics-file",
        .into = &into,
        .help = "Write when it last succeeded, for Prometheus",
        .value = "FILE"};
}

exit_code run_measured(
    command_context const& context,
    std::string const& command,
    std::string const& file,
    std::function<measured_run()> const& work
)
{
    if (file == "-")
        throw usage_error("--metrics-file: - is no file; name one that Prometheus' exporter reads");
    if (file.empty() || context.options().dry_run)
        return work().code;
    auto const begun = std::chrono::steady_clock::now();
    auto const write = [&](measured_run const& run) {
        write_metrics(command, file, run, std::chrono::steady_clock::now() - begun);
    };
    auto const write_after_trouble = [&](measured_run const& run) {
        try
        {
            write(run);
        }
        catch (command_failed const& failure)
        {
            context.say(failure.what());
        }
    };
    measured_run run;
    try
    {
        run = work();
    }
    catch (command_failed const& failure)
    {
        write_after_trouble({.code = failure.code});
        throw;
    }
    catch (pqxx::insufficient_privilege const&)
    {
        write_after_trouble({.code = exit_code::not_allowed});
        throw;
    }
    catch (std::exception const&)
    {
        write_after_trouble({.code = exit_code::failure});
        throw;
    }
    if (run.code == exit_code::ok)
        write(run);
    else
        write_after_trouble(run);
    return run.code;
}

}  // namespace gapless::cli
