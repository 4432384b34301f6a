#pragma once

#include "base/csv_writer.hpp"
#include "cli/command_context.hpp"

#include <string>
#include <string_view>

namespace gapless::cli {

/// Appends a JSON string with its quotes; bytes that are not UTF-8 are replaced.
void append_json_text(std::string& out, std::string_view text);

/// Ends a list whose reader has gone: nobody needs the millions of rows that may follow.
command_failed list_unread();

/// Writes rows to stdout in large pieces. Call finish() at the end, or the rest is not written.
class row_writer
{
public:
    explicit row_writer(command_context& context) : context_{context} {}

    /// Append rows here.
    std::string& text() noexcept { return text_; }

    /// Writes once enough has accumulated. Throws output_failed, command_failed if the reader has
    /// gone, and when interrupted.
    void row_done()
    {
        if (text_.size() >= piece_bytes && !finish())
            throw list_unread();
    }

    /// False: the reader has gone.
    bool finish()
    {
        context_.signals().stop_if_arrived();
        auto const read = context_.print_part(text_);
        text_.clear();
        return read;
    }

private:
    static constexpr std::size_t piece_bytes = 1'000'000;

    command_context& context_;
    std::string text_;
};

}  // namespace gapless::cli
