-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- The number of cores of each group on each host.
SELECT
    host,
    program,
    signature_group,
    COUNT(*) AS cores,
    MAX(time) AS last_seen
FROM verdict
WHERE program IS NOT NULL
GROUP BY host, program, signature_group
ORDER BY cores DESC, host NULLS LAST, program, signature_group;
