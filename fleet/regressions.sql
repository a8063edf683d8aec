-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Groups that only the newest build of a program has, if older builds of it had cores too. The
-- newest build is the one with the latest first core.
WITH
build AS (
    SELECT
        program,
        build_id,
        ROW_NUMBER() OVER (PARTITION BY program ORDER BY MIN(time) DESC, build_id) AS age
    FROM verdict
    WHERE program IS NOT NULL AND build_id IS NOT NULL
    GROUP BY program, build_id
)

SELECT
    verdict.program,
    MIN(verdict.build_id) AS build_id,
    verdict.signature_group,
    COUNT(*) AS cores,
    MIN(verdict.time) AS first_seen,
    MIN(verdict.core) AS example
FROM verdict
INNER JOIN build
    ON verdict.program = build.program AND verdict.build_id = build.build_id
WHERE
    verdict.signature_coarse IS NOT NULL
    AND verdict.program IN (SELECT older.program FROM build AS older WHERE older.age = 2)
GROUP BY verdict.program, verdict.signature_group
HAVING MAX(build.age) = 1
ORDER BY cores DESC, verdict.program, verdict.signature_group;
