#pragma once

#include "domain/issuance.hpp"
#include "http/answer.hpp"
#include "service/numbering.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// Appends the number printed for a serial.
void append_number(bound_format const& format, std::int64_t serial, std::string& text);

/// Which numbers an answer lists one by one.
enum class listing
{
    usual = 1,  // up to listed_numbers_max numbers, else none
    all,
    none,
};

/// Appends an issuance in that state (issued, held, released, expired) as the JSON object of the
/// contract; a held one with the moment its hold ends. `parts`: how the numbers of a hold were
/// settled, which tells what may be printed; shown once any of them was.
void append_issuance(
    series_entry const& series,
    issuance const& value,
    std::string_view state,
    std::span<hold_part const> parts,
    listing numbers,
    std::string& json
);

/// Appends the numbers of an issuance, one to a line.
void append_csv(series_entry const& series, issuance const& value, std::string& csv);

/// The numbers of an issuance one by one, piece by piece, and what comes behind them.
class number_list : public body_rest
{
public:
    static constexpr std::int64_t numbers_per_piece = 2'000;

    /// `series` outlives it.
    number_list(
        series_entry const& series,
        std::vector<issued_range> ranges,
        number_list_style const& style,
        std::string tail
    );

    std::uint64_t bytes() const noexcept override { return bytes_left_; }
    void append_piece(std::string& body) override;

private:
    bound_format const& format_;
    std::vector<issued_range> ranges_;
    number_list_style style_;
    std::string tail_;
    std::size_t range_{};  // the one that is written now
    std::int64_t done_{};  // numbers of it
    std::uint64_t bytes_left_{};
};

/// The same as append_issuance and append_csv as the body of an answer. A long list of numbers
/// becomes its rest.
void write_issuance(
    series_entry const& series,
    issuance const& value,
    std::string_view state,
    std::span<hold_part const> parts,
    listing numbers,
    answer& out
);
void write_csv(series_entry const& series, issuance const& value, answer& out);

/// Appends the id of an issuance: that of its first number.
void append_id(issuance const& value, std::string& text);

}  // namespace gapless
