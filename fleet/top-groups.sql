-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- The largest groups of cores: the numbers of cores, hosts and builds, the first and last time, and
-- one core as an example.
SELECT
    program,
    signature_group,
    MIN(class) AS class,
    COUNT(*) AS cores,
    COUNT(DISTINCT signature) AS places,
    COUNT(DISTINCT host) AS hosts,
    COUNT(DISTINCT build_id) AS builds,
    MIN(time) AS first_seen,
    MAX(time) AS last_seen,
    MIN(core) AS example
FROM verdict
WHERE program IS NOT NULL
GROUP BY program, signature_group
ORDER BY cores DESC, program, signature_group;
