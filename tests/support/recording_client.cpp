#include "support/recording_client.hpp"

#include "support/issuance_answer.hpp"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <sstream>
#include <thread>

namespace gapless::test {

namespace {

constexpr std::chrono::milliseconds pause{3};  // before the same request is sent again

nlohmann::json parse(std::string const& body)
{
    return nlohmann::json::parse(body, nullptr, false);
}

/// True when the service says, or the wire shows, that the same request has to be sent again.
bool is_open(attempt const& tried, bool exhausted_is_final)
{
    if (tried.fate == attempt_fate::ok)
        return false;
    if (tried.problem == "series-exhausted")
        return !exhausted_is_final;
    return tried.fate == attempt_fate::info || tried.status == 0 || tried.status == 429 ||
           tried.status == 503;
}

}  // namespace

http_client& recording_client::connection_to(std::size_t instance)
{
    auto const address = instances_.address(instance);
    auto& connection = connections_[address];
    if (!connection)
        connection = std::make_unique<http_client>(address);
    return *connection;
}

http_outcome recording_client::exchange(
    std::size_t instance, http_request const& request, attempt& tried
)
{
    tried.client = who_.client;
    tried.instance = std::to_string(instance);
    auto& connection = connection_to(instance);
    tried.sent_at = wall_clock();
    tried.started = now();
    auto outcome = connection.exchange(request);
    tried.ended = now();
    if (outcome.answer)
        tried.status = outcome.answer->status;
    else
        tried.fate = outcome.why == no_answer::not_sent ? attempt_fate::fail : attempt_fate::info;
    return outcome;
}

http_request recording_client::to_request(issue_wish const& wanted) const
{
    nlohmann::json body{{"count", wanted.count}};
    if (wanted.contiguous)
        body["contiguous"] = true;
    return {
        .method = "POST",
        .target = "/v1/series/" + wanted.series + "/numbers",
        .fields =
            {{"Authorization", "Bearer " + who_.token},
             {"Idempotency-Key", wanted.key},
             {"Content-Type", "application/json"}},
        .body = body.dump()};
}

attempt recording_client::issue_once(issue_wish const& wanted, std::size_t instance, operation what)
{
    attempt tried;
    tried.what = what;
    tried.series = wanted.series;
    tried.key = wanted.key;
    tried.count = wanted.count;
    tried.contiguous = wanted.contiguous;
    tried.turn = ++turns_[wanted.key];
    auto const outcome = exchange(instance, to_request(wanted), tried);
    if (outcome.answer)
        read_answer(*outcome.answer, tried);
    seen_.add(tried);
    return tried;
}

attempt recording_client::issue_until_definite(
    issue_wish const& wanted,
    std::size_t instance,
    bool exhausted_is_final,
    std::chrono::milliseconds limit
)
{
    auto const deadline = std::chrono::steady_clock::now() + limit;
    for (;;)
    {
        auto tried = issue_once(wanted, instance);
        if (!is_open(tried, exhausted_is_final))
            return tried;
        if (std::chrono::steady_clock::now() > deadline)
            throw std::runtime_error{
                "key " + wanted.key + " is still open after " + std::to_string(tried.turn) +
                " attempts: " + std::to_string(tried.status) + " " + tried.problem + " " +
                tried.detail};
        std::this_thread::sleep_for(pause);
        instance = (instance + 1) % instances_.size();
    }
}

attempt recording_client::read_issued(std::string const& series, std::size_t instance)
{
    attempt tried;
    tried.what = operation::read;
    tried.series = series;
    auto const outcome = exchange(
        instance,
        {.target = "/v1/series/" + series, .fields = {{"Authorization", "Bearer " + who_.token}}},
        tried
    );
    if (tried.status == 200)
    {
        tried.fate = attempt_fate::ok;
        tried.issued = to_number(parse(outcome.answer->body).at("issued"));
    }
    seen_.add(tried);
    return tried;
}

bool recording_client::load_block(
    std::string const& series, std::int64_t first, std::int64_t last, std::size_t instance
)
{
    nlohmann::json const body{{"first", std::to_string(first)}, {"last", std::to_string(last)}};
    http_request const request{
        .method = "POST",
        .target = "/v1/series/" + series + "/blocks",
        .fields =
            {{"Authorization", "Bearer " + who_.token},
             {"Idempotency-Key", "block-" + series + "-" + std::to_string(first)},
             {"Content-Type", "application/json"}},
        .body = body.dump()};
    auto const outcome = connection_to(instance).exchange(request);
    return outcome.answer && outcome.answer->status == 201;
}

std::string make_key(std::mt19937_64& dice)
{
    std::ostringstream text;
    text << std::hex << std::setfill('0') << std::setw(16) << dice() << std::setw(16) << dice();
    auto key = text.str();
    key[12] = '4';
    key[16] = '8';
    for (auto const at : {20U, 16U, 12U, 8U})
        key.insert(at, "-");
    return key;
}

void read_answer(http_answer const& answer, attempt& tried)
{
    auto const body = parse(answer.body);
    tried.replayed = answer.field("idempotency-replayed") == "true";
    if (answer.status == 201)
    {
        tried.fate = attempt_fate::ok;
        tried.body = answer.body;
        tried.defect = read_issuance(body, tried);
        if (tried.defect.empty() && answer.field("location") != "/v1/issuances/" + tried.issuance)
            tried.defect = "the location is " + answer.field("location");
        return;
    }
    tried.fate = attempt_fate::info;
    if (!body.is_object())
        return;
    tried.executed = body.value("executed", "");
    tried.detail = body.value("detail", "");
    tried.problem = body.value("type", "");
    constexpr std::string_view prefix{"/problems/"};
    if (tried.problem.starts_with(prefix))
        tried.problem.erase(0, prefix.size());
    if (tried.executed == "no")
        tried.fate = attempt_fate::fail;
}

}  // namespace gapless::test
