#include "harness/cli_program.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace gapless::test {

process_end run_gapless(
    std::vector<std::string> words, std::string const& url, std::string_view input
)
{
    process_start start;
    start.words = std::move(words);
    start.words.insert(start.words.begin(), GAPLESS_BIN_DIR "/gapless");
    start.environment["GAPLESS_DATABASE_URL"] = url;
    return run_program(start, input);
}

std::vector<std::string> member_names(std::string const& json)
{
    auto const object = nlohmann::ordered_json::parse(json);
    std::vector<std::string> names;
    for (auto const& [name, value] : object.items())
        names.push_back(name);
    return names;
}

std::string cli::json_text(std::vector<std::string> words) const
{
    words.insert(words.end(), {"-o", "json"});
    auto end = run(std::move(words));
    if (end.code != 0)
        throw std::runtime_error{end.err};
    return std::move(end.out);
}

temporary_file::temporary_file(std::string_view text, std::string const& suffix)
{
    path_ = (std::filesystem::temp_directory_path() / "gapless_XXXXXX").string() + suffix;
    auto const descriptor = ::mkstemps(path_.data(), static_cast<int>(suffix.size()));
    if (descriptor < 0)
        throw std::runtime_error{"no temporary file"};
    ::close(descriptor);
    std::ofstream{path_, std::ios::binary} << text;
}

temporary_file::~temporary_file()
{
    std::filesystem::remove(path_);
}

}  // namespace gapless::test
