-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- The numbers of cores and hosts of each group for each systemd unit. The units come from the
-- journal, with --journal.
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
