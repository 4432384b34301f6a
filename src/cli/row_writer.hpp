#pragma once

#include "base/csv_writer.hpp"
#include "cli/command_context.hpp"

#include <string>
#include <string_view>

namespace gapless::cli {

/// Appends a JSON string with its quotes; bytes that are no UTF-8 are replaced.
void append_json_text(std::string& out, std::string_view text);

/// Rows on stdout in large pieces. Call finish() at the end: what is left is not written by itself.
class row_writer
{
public:
    explicit row_writer(command_context& context) : context_{context} {}

    /// Where rows are appended.
    std::string& text() noexcept { return text_; }

    /// Writes when enough has come together. Throws output_failed and when interrupted.
    void row_done()
    {
        if (text_.size() >= piece_bytes)
            finish();
    }

    void finish()
    {
        context_.signals().stop_if_arrived();
        context_.print_text(text_);
        text_.clear();
    }

private:
    static constexpr std::size_t piece_bytes = 1'000'000;

    command_context& context_;
    std::string text_;
};

}  // namespace gapless::cli
