#include "blocks/load_block_file.hpp"

#include <fmt/format.h>

namespace gapless::cases {

result<load_blocks> to_load(std::string const& series, block_file file, std::string_view name)
{
    if (!file.faults.empty())
        return refusal{
            .kind = refusal_kind::out_of_range,
            .detail = fmt::format(
                "{}{}; nothing was loaded",
                to_text(file.faults.front(), name),
                file.faults.size() == 1 ? "" : fmt::format("; faults: {}", file.faults.size())
            ),
            .faults = std::move(file.faults)};
    load_blocks load{.series = series, .drafts = {}, .warnings = std::move(file.warnings)};
    for (auto& line : file.blocks)
    {
        load.drafts.push_back(
            {.series = series,
             .first = line.first,
             .last = line.last,
             .count = std::nullopt,
             .reference = std::move(line.reference),
             .valid_until = line.valid_until,
             .completed = std::move(line.completed)}
        );
        load.lines.push_back(line.line);
        load.column = line.column;
        load.validity_column = line.validity_column;
    }
    return load;
}

result<loaded_blocks> load_block_file::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    auto load = to_load(series->name, read_block_file(*bytes, &series->format), "the file");
    if (load.has_error())
        return load.error();
    if (load->drafts.size() > loaded_blocks_max)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format(
                "the file has {} blocks, more than {}; split it, or use 'gapless block load {} "
                "--file FILE'; nothing was loaded",
                load->drafts.size(),
                loaded_blocks_max,
                series->name
            )};
    load->confirmed = confirmed;
    load->dry_run = dry_run;
    return load->run(transaction, actor);
}

}  // namespace gapless::cases
