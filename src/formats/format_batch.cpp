#include "formats/format_batch.hpp"

#include "cli/argument.hpp"
#include "formats/format_commands.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fmt/format.h>
#include <map>
#include <unistd.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t line_bytes_max = 1'000'000;
constexpr std::size_t piece_bytes = 65'536;

/// The input of one line.
struct question
{
    std::string format;
    std::string text;
    parameter_values params;
};

std::string member_text(json const& object, char const* key)
{
    auto const found = object.find(key);
    if (found == object.end() || found->is_null())
        return {};
    if (found->is_string())
        return found->get<std::string>();
    return found->is_number_integer() ? found->dump() : std::string{};
}

/// Parses a line, or says why it is invalid.
format_result<question> read_question(
    std::string_view line, char const* key, std::string const& name, parameter_values params
)
{
    auto const object = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object())
        return format_refusal{"this line is not a JSON object"};
    question asked{member_text(object, "format"), member_text(object, key), std::move(params)};
    if (asked.format.empty())
        asked.format = name;
    if (asked.format.empty())
        return format_refusal{"format is missing"};
    if (asked.text.empty())
        return format_refusal{key, " is missing"};
    if (auto const own = object.find("params"); own != object.end() && !own->is_null())
    {
        if (!own->is_object())
            return format_refusal{"params is not an object"};
        for (auto const& [param, value] : own->items())
            if (value.is_string())
                asked.params[param] = value.get<std::string>();
            else
                return format_refusal{"parameter ", param, " is not a string"};
    }
    return asked;
}

/// Reads lines from standard input and answers them. Answers are flushed before the program waits
/// for more input, so that a dialogue over a pipe works.
class dialogue
{
public:
    dialogue(command_context& context, char const* key) : context_{context}, key_{key} {}

    /// `answer(format, question)` judges; `refuse(reason)` answers what cannot be judged. Returns
    /// usage when there was such a line. Throws command_failed where a format was named and there
    /// is no line: what was to follow its name was probably an empty variable.
    template <class Answer, class Refuse>
    exit_code run(
        std::string const& name, parameter_values const& params, Answer answer, Refuse refuse
    )
    {
        bool readable = true;
        bool is_empty = true;
        std::string line;
        while (next_line(line))
        {
            is_empty = is_empty && line.find_first_not_of(" \t\r") == std::string::npos;
            auto const asked = read_question(line, key_, name, params);
            if (asked.has_error())
            {
                readable = false;
                print(refuse(asked.error().reason));
            }
            else if (auto const& format = find(asked->format); format.has_value())
                print(answer(*format, *asked));
            else
            {
                readable = false;
                print(refuse(format.error().detail));
            }
        }
        flush();
        if (is_empty && !name.empty())
            throw usage_error(fmt::format(
                "there is no {} behind {}, and no line on standard input", key_, to_quoted(name)
            ));
        return readable ? exit_code::ok : exit_code::usage;
    }

private:
    /// The format of that name, or why there is none.
    result<number_format> const& find(std::string const& name)
    {
        auto found = formats_.find(name);
        if (found == formats_.end())
        {
            auto format = find_any_format(context_, name);
            if (format.has_error() && format.error().kind != refusal_kind::not_found)
                throw to_failure(format.error());
            found = formats_.emplace(name, std::move(format)).first;
        }
        return found->second;
    }

    bool next_line(std::string& line)
    {
        for (;;)
        {
            if (auto const end = input_.find('\n', at_); end != std::string::npos)
            {
                line.assign(input_, at_, end - at_);
                at_ = end + 1;
                return true;
            }
            if (input_.size() - at_ > line_bytes_max)
                throw usage_error("a line of standard input is longer than 1000000 bytes");
            if (!read_more())
            {
                line.assign(input_, at_);
                at_ = input_.size();
                return !line.empty();
            }
        }
    }

    bool read_more()
    {
        flush();
        input_.erase(0, at_);
        at_ = 0;
        for (;;)
        {
            context_.signals().stop_if_arrived();
            auto const before = input_.size();
            input_.resize(before + piece_bytes);
            auto const size = ::read(STDIN_FILENO, input_.data() + before, piece_bytes);
            auto const error = errno;
            input_.resize(before + (size > 0 ? static_cast<std::size_t>(size) : 0));
            if (size >= 0)
                return size > 0;
            if (error != EINTR)
                throw usage_error("cannot read standard input");
        }
    }

    void print(json const& answer)
    {
        output_ += answer.dump(-1, ' ', false, json::error_handler_t::replace);
        output_ += '\n';
    }

    void flush()
    {
        context_.print_text(output_);
        output_.clear();
    }

    command_context& context_;
    char const* key_;
    std::string input_;
    std::size_t at_{};
    std::string output_;
    std::map<std::string, result<number_format>> formats_;
};

json text_json(std::string const& text)
{
    return text.empty() ? json() : json(text);
}

}  // namespace

json to_json(number_verdict const& verdict)
{
    auto params = json::object();
    for (auto const& [name, value] : verdict.parameters)
        params[name] = value;
    return {
        {"valid", verdict.valid},
        {"serial", text_json(verdict.serial)},
        {"params", std::move(params)},
        {"reason", text_json(verdict.reason)},
    };
}

exit_code check_lines(
    command_context& context, std::string const& name, parameter_values const& params
)
{
    bool all_valid = true;
    auto const answer = [&](number_format const& format, question const& asked) {
        auto const verdict = check_number(format, asked.text, asked.params);
        all_valid = all_valid && verdict.valid;
        return to_json(verdict);
    };
    auto const refuse = [](std::string const& reason) {
        return to_json(number_verdict{.valid = false, .reason = reason});
    };
    auto const code = dialogue{context, "number"}.run(name, params, answer, refuse);
    return code == exit_code::ok && !all_valid ? exit_code::findings : code;
}

exit_code make_lines(
    command_context& context, std::string const& name, parameter_values const& params
)
{
    bool all_made = true;
    auto const refuse = [&](std::string const& reason) {
        all_made = false;
        return json{{"number", nullptr}, {"reason", reason}};
    };
    auto const answer = [&](number_format const& format, question const& asked) {
        auto const made = make_number(format, asked.text, asked.params);
        return made.has_error() ? refuse(made.error().reason) : json{{"number", *made}};
    };
    auto const code = dialogue{context, "serial"}.run(name, params, answer, refuse);
    return code == exit_code::ok && !all_made ? exit_code::findings : code;
}

}  // namespace gapless::cli
