-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Which units of systemd have how many cores of each group, and on how many hosts, as the journal
-- tells with --journal.
SELECT
    unit,
    program,
    signature_group,
    COUNT(*) AS cores,
    COUNT(DISTINCT host) AS hosts,
    MIN(time) AS first_seen,
    MAX(time) AS last_seen,
    MIN(core) AS example
FROM verdict
WHERE unit IS NOT NULL
GROUP BY unit, program, signature_group
ORDER BY cores DESC, unit, program, signature_group;
