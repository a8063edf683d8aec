-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- The number of cores of each build of a program in each group, and the package of the build if the
-- journal has it.
SELECT
    program,
    build_id,
    MIN(package || ' ' || package_version) AS package,
    signature_group,
    COUNT(*) AS cores,
    MIN(time) AS first_seen,
    MAX(time) AS last_seen
FROM verdict
WHERE program IS NOT NULL
GROUP BY program, build_id, signature_group
ORDER BY program, first_seen NULLS LAST, build_id NULLS LAST, signature_group;
