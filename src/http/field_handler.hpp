#pragma once

#include "http/json_reader.hpp"

#include <bitset>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gapless {

inline constexpr std::size_t json_fields_max = 16;  // of one object

/// Puts what nlohmann's parser reads straight into the fields of an object. Each function returns
/// false to stop. The types of nlohmann's that it is handed are deduced, so that its header is not
/// needed here.
class field_handler
{
public:
    field_handler(std::span<json_field const> fields, null_means null)
        : fields_{fields},
          null_{null}
    {
    }

    /// What was wrong, in a sentence; none when nothing was.
    std::optional<std::string> const& problem() const noexcept { return problem_; }

    /// As what it is refused.
    refusal_kind kind() const noexcept { return kind_; }

    bool key(std::string& name);
    bool start_object(std::size_t);
    bool end_object();
    bool start_array(std::size_t) { return fail_kind(); }
    bool end_array() { return true; }
    bool null();
    bool boolean(bool truth);
    bool number_integer(std::int64_t number) { return take_integer(number); }
    bool number_unsigned(std::uint64_t number);
    bool number_float(double, std::string const&) { return fail_kind(); }
    bool string(std::string& text);
    template <class Bytes>
    bool binary(Bytes&)
    {
        return fail_kind();
    }
    template <class Exception>
    bool parse_error(std::size_t position, std::string const&, Exception const&)
    {
        return fail_parse(position);
    }

private:
    template <class Place>
    Place* const* target_as() const noexcept
    {
        return field_ && !map_ ? std::get_if<Place*>(&field_->target) : nullptr;
    }

    bool take_text(std::string& text);
    bool take_digits(std::string& text);
    bool take_integer(std::int64_t number);
    bool fail_parse(std::size_t position);
    bool fail(std::string detail);
    bool fail_field(std::string_view what);
    bool fail_kind();

    std::span<json_field const> fields_;
    std::bitset<json_fields_max> seen_;
    json_field const* field_{};                  // whose value comes next, or came last
    std::map<std::string, std::string>* map_{};  // inside an object of texts
    std::string map_key_;
    bool inside_{};  // the outermost object
    null_means null_;
    std::optional<std::string> problem_;
    refusal_kind kind_{refusal_kind::malformed_request};
};

}  // namespace gapless
