#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gapless::load {

/// What an answer to an issue request for one number says; texts as they came, empty when missing.
struct answer
{
    int status{};
    bool closes{};        // the connection ends with it
    std::string problem;  // the last part of its type
    std::string executed;
    std::string retry_after;
    std::string number;
    std::string ordinal;
    std::string block;
    std::string issuance;
    std::string epoch;
    bool replayed{};
};

/// Reads the answer at the start of `bytes` -> how long it is; 0: not all of it is there yet.
/// Throws std::runtime_error when it has no Content-Length.
std::size_t read_answer(std::string_view bytes, answer& read);

}  // namespace gapless::load
