#include "base/limits.hpp"
#include "base/moment.hpp"
#include "base/written_value.hpp"
#include "blocks/block_file.hpp"
#include "formats/catalogue.hpp"
#include "fuzz/fuzz.hpp"

using namespace gapless;
using namespace gapless::test;

namespace {

bool same(block_line const& a, block_line const& b)
{
    return a.first == b.first && a.last == b.last && a.reference == b.reference &&
           a.valid_until == b.valid_until;
}

bool same_blocks(block_file const& a, block_file const& b)
{
    return a.faults.empty() && b.faults.empty() && a.numbers == b.numbers &&
           std::ranges::equal(a.blocks, b.blocks, same);
}

/// The same blocks as a file with every field in quotes, in another order of columns.
std::string written_again(block_file const& file)
{
    std::string text{"valid_until;reference;last;count;first\r\n"};
    for (auto const& block : file.blocks)
    {
        text += '"' + (block.valid_until ? block.valid_until->text : "") + "\";\"";
        for (auto const each : block.reference.value_or(""))
            text.append(each == '"' ? 2 : 1, each);
        text += "\";\"" + std::to_string(block.last) + "\";\"";
        text += std::to_string(static_cast<std::uint64_t>(block.last - block.first) + 1) + "\";\"";
        text += std::to_string(block.first) + "\"\r\n";
    }
    return text;
}

void check_faults(block_file const& file, std::string_view text)
{
    expect(file.faults.size() <= block_file_faults_max, "faults are bounded");
    auto const lines =
        static_cast<std::size_t>(
            std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; })
        ) +
        1;
    std::size_t line = 0;
    for (auto const& fault : file.faults)
    {
        expect(fault.line >= line && fault.line <= lines, "faults are in the order of the file");
        expect(!fault.what.empty(), "a fault says what is wrong");
        expect(to_text(fault, "blocks.csv").size() < 1'000, "and is short");
        line = fault.line;
    }
}

void check_blocks(block_file const& file)
{
    std::uint64_t numbers = 0;
    std::size_t line = 1;
    for (auto const& block : file.blocks)
    {
        expect(block.line >= line, "blocks are in the order of the file");
        expect(
            0 <= block.first && block.first <= block.last && block.last <= serial_max,
            "a block runs upwards"
        );
        for (auto const& other : file.blocks)
            expect(
                &other == &block || other.last < block.first || block.last < other.first,
                "blocks do not overlap"
            );
        numbers += static_cast<std::uint64_t>(block.last - block.first) + 1;
        line = block.line;
    }
    expect(!file.blocks.empty() && numbers == file.numbers, "the numbers add up");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    static auto const upu =
        bound_format::bind(*find_format("upu-s10"), {{"svc", "RB"}, {"cc", "DE"}});
    static auto const plain = bound_format::bind(*find_format(default_format_name), {});
    fuzz_input input{data, size};
    auto const choice = input.byte() % 3;
    auto const* const format = choice == 0 ? nullptr : choice == 1 ? &*upu : &*plain;
    auto const text = input.rest();

    auto const file = read_block_file(text, format);
    check_faults(file, text);
    if (!file.faults.empty())
        return 0;
    check_blocks(file);
    expect(same_blocks(file, read_block_file(written_again(file))), "what was read reads again");

    std::string marked{"\xef\xbb\xbf"};
    marked += text.substr(text.starts_with(marked) ? marked.size() : 0);
    if (written::is_text(text))  // else it was Windows-1252, which has no such mark
        expect(same_blocks(file, read_block_file(marked, format)), "a byte order mark is no data");
    expect(
        same_blocks(file, read_block_file(std::string{text} + "\r\n\r\n", format)),
        "blank lines at the end are no blocks"
    );
    return 0;
}
