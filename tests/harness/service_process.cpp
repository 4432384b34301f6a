#include "harness/service_process.hpp"

#include "harness/database.hpp"
#include "harness/http_client.hpp"

#include <nlohmann/json.hpp>

namespace gapless::test {

namespace {

process_start to_start(std::string const& database_url, std::vector<std::string> const& options)
{
    process_start start;
    start.words = {
        "/usr/bin/setpriv",
        "--pdeathsig",
        "KILL",
        program_path("gaplessd"),
        "--listen",
        "127.0.0.1:0"};
    if (is_shared_server(database_url))
        start.words.emplace_back("--accept-risk");
    start.words.insert(start.words.end(), options.begin(), options.end());
    start.environment = {
        {"GAPLESS_DATABASE_URL", database_url},
        {"GAPLESS_CONFIG", std::nullopt},
        {"GAPLESS_LISTEN", std::nullopt}};
    return start;
}

/// The address in the log line that says where the service listens; "" when it is not there yet.
std::string read_address(std::string const& log)
{
    for (std::size_t begin = 0; begin < log.size();)
    {
        auto const end = log.find('\n', begin);
        if (end == std::string::npos)
            return {};
        auto const line = nlohmann::json::parse(log.substr(begin, end - begin), nullptr, false);
        if (line.is_object() && line.value("event", "") == "listening")
            return line.value("address", "");
        begin = end + 1;
    }
    return {};
}

}  // namespace

std::string program_path(std::string const& name)
{
    auto const* folder = std::getenv("GAPLESS_BIN_DIR");
    return std::string{folder != nullptr ? folder : GAPLESS_BIN_DIR} + "/" + name;
}

service_process::service_process(
    std::string const& database_url, std::vector<std::string> const& options
)
    : running_{std::make_unique<process>(to_start(database_url, options))}
{
    auto const logged = running_->wait_for("\"event\":\"listening\"", patience) &&
                        running_->wait_for("\n", patience);
    address_ = logged ? read_address(running_->err()) : "";
    if (address_.empty())
        throw std::runtime_error{
            "gaplessd does not say where it listens; its log:\n" + running_->err()};
}

std::string service_process::readiness() const
{
    http_client client{address_};
    auto const got = client.exchange({.target = "/readyz"}).answer;
    if (!got)
        return "no answer";
    return got->status == 200 ? "200" : std::to_string(got->status) + " " + got->body;
}

void service_process::wait_ready(milliseconds limit)
{
    std::string last;
    auto const is_ready = [&] {
        last = readiness();
        return last == "200";
    };
    if (!eventually(is_ready, limit))
        throw std::runtime_error{"gaplessd does not become ready: " + last};
}

void service_process::kill()
{
    running_->send(SIGKILL);
    log_ = running_->finish().err;
}

int service_process::stop(milliseconds limit)
{
    running_->send(SIGTERM);
    auto const end = running_->finish({}, limit);
    log_ = end.err;
    return end.code;
}

}  // namespace gapless::test
