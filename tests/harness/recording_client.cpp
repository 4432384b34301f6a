#include "harness/recording_client.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <stdexcept>

namespace gapless::test {

namespace {

nlohmann::json parse(std::string const& body)
{
    return nlohmann::json::parse(body, nullptr, false);
}

/// A number that is a JSON string, as everything that can exceed 2^53 has to be. Throws when it is
/// not written in the one right way.
std::int64_t to_number(nlohmann::json const& value)
{
    auto const& text = value.get_ref<std::string const&>();
    std::int64_t number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || std::to_string(number) != text)
        throw std::invalid_argument{"'" + text + "' is not a number"};
    return number;
}

/// Takes the issuance of an answer into the attempt. Returns what is wrong with it, "" when nothing
/// is: fields missing or of the wrong type, counts and numbers that do not match the ranges. For
/// series of the format plain, where a number is its serial.
std::string read_issuance(nlohmann::json const& body, attempt& tried)
{
    try
    {
        tried.issuance = body.at("id").get<std::string>();
        tried.epoch = to_number(body.at("epoch"));
        for (auto const& range : body.at("ranges"))
        {
            auto const& read = tried.ranges.emplace_back(answered_range{
                to_number(range.at("block")),
                to_number(range.at("first")),
                to_number(range.at("last")),
                to_number(range.at("ordinal"))});
            if (range.at("count").get<std::int64_t>() != read.count())
                return "a range does not hold its count";
        }
        if (body.at("series") != tried.series || body.at("state") != "issued" ||
            body.at("count").get<std::int64_t>() != tried.numbers())
            return "series, state or count are not those of the request and its ranges";

        auto const& numbers = body.at("numbers");
        std::size_t n = 0;
        for (auto const& range : tried.ranges)
            for (auto number = range.first; number <= range.last; ++number, ++n)
                if (n >= numbers.size() || to_number(numbers[n]) != number)
                    return "the numbers are not those of the ranges";
        return n == numbers.size() ? "" : "there are more numbers than the ranges hold";
    }
    catch (std::exception const& error)
    {
        return error.what();
    }
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
