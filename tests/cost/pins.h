/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preset, changes, then events, keys built, keys compared, allocations: `tests/cost/test_cost` prints today's. */
{"iot-telemetry", {{SCENARIO_DETAIL, "write"}, {SCENARIO_DURATION, "10s"}, {SCENARIO_SET, "[scenario] compare=no"}},
 3613, 1936110, 5462508, 56015},
{"user-profiles", {{SCENARIO_DETAIL, "tick"}, {SCENARIO_DURATION, "2m"}, {SCENARIO_SET, "[scenario] compare=no"}},
 3737, 370892, 622628, 16513},
{"clickstream", {{SCENARIO_DETAIL, "flow"}, {SCENARIO_DURATION, "30m"}, {SCENARIO_SET, "[scenario] compare=no"}},
 3610, 919392, 3053231, 26058},
