-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- New groups: those whose first core is from the last day in the table.
SELECT
    program,
    signature_group,
    MIN(class) AS class,
    COUNT(*) AS cores,
    MIN(time) AS first_seen,
    MIN(core) AS example
FROM verdict
WHERE program IS NOT NULL
GROUP BY program, signature_group
HAVING MIN(time) > (SELECT MAX(time) FROM verdict) - 86400
ORDER BY cores DESC, program, signature_group;
