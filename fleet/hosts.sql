-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- How many cores each host has of each group.
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
