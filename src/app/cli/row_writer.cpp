#include "app/cli/row_writer.hpp"

namespace gapless::cli {

void append_csv_text(std::string& out, std::string_view text)
{
    constexpr std::string_view starts_formula = "=+-@\t\r";
    std::string guarded;
    if (!text.empty() && starts_formula.find(text.front()) != std::string_view::npos)
        text = guarded = "'" + std::string{text};
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    {
        out += text;
        return;
    }
    out += '"';
    for (auto const c : text)
    {
        if (c == '"')
            out += '"';
        out += c;
    }
    out += '"';
}

void append_json_text(std::string& out, std::string_view text)
{
    using nlohmann::json;
    out += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace gapless::cli
