#pragma once

#include "base/csv_writer.hpp"
#include "base/messages.hpp"
#include "invoices/reconciliation.hpp"

#include <cstdint>
#include <string>

namespace gapless {

/// The format of findings.
struct invoice_style
{
    bool json{};
    csv_style csv{};                      // if it is not JSON
    language told_in{language::english};  // details
    std::int64_t findings_max{};          // written in JSON, while all are counted; 0: no limit
};

/// Findings as text, piece by piece: {"column","findings":[…],"summary":{…}}, or CSV for the
/// carrier, which has nothing about customers: finding,number,line,amount,detail.
class invoice_text
{
public:
    explicit invoice_text(invoice_style style) : style_{style} {}

    void begin(std::string& out, invoice_columns const& columns);
    void append(std::string& out, bill_finding const& found);
    void end(std::string& out, bill_summary const& summary) const;

private:
    void append_row(std::string& out, bill_finding const& found) const;
    void append_object(std::string& out, bill_finding const& found) const;

    invoice_style style_;
    std::string amount_column_;
    std::int64_t written_{};
};

}  // namespace gapless
