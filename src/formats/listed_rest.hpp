#pragma once

#include "formats/number_list.hpp"
#include "http/answer.hpp"

#include <string>
#include <utility>

namespace gapless {

/// A list of numbers as the rest of a body.
class listed_rest : public body_rest
{
public:
    explicit listed_rest(number_list list) : list_{std::move(list)} {}
    std::uint64_t bytes() const noexcept override { return list_.bytes(); }
    void append_piece(std::string& body) override { list_.append_piece(body); }

private:
    number_list list_;
};

}  // namespace gapless
