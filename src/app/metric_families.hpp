#pragma once

#include <cstdint>
#include <prometheus/metric_family.h>
#include <string>
#include <utility>
#include <vector>

/// Builds metrics for Prometheus.
namespace gapless::metrics {

using prometheus::MetricFamily;
using prometheus::MetricType;
using families = std::vector<MetricFamily>;
using labels = std::vector<prometheus::ClientMetric::Label>;

/// A family without values.
inline MetricFamily gauge(std::string name, std::string help)
{
    return {std::move(name), std::move(help), MetricType::Gauge, {}};
}

/// Adds a family without values.
inline MetricFamily& add_family(families& all, MetricType type, std::string name, std::string help)
{
    return all.emplace_back(MetricFamily{std::move(name), std::move(help), type, {}});
}

inline void add_value(MetricFamily& family, double value, labels label = {})
{
    auto& metric = family.metric.emplace_back();
    metric.label = std::move(label);
    metric.counter.value = value;
    metric.gauge.value = value;
}

/// Adds a family with one value.
inline void add_counter(families& all, std::string name, std::string help, std::uint64_t value)
{
    auto& family = add_family(all, MetricType::Counter, std::move(name), std::move(help));
    add_value(family, static_cast<double>(value));
}

/// The same.
inline void add_gauge(families& all, std::string name, std::string help, double value)
{
    add_value(add_family(all, MetricType::Gauge, std::move(name), std::move(help)), value);
}

}  // namespace gapless::metrics
