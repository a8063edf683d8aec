-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- The numbers of readable cores, of unreadable ones by reason, and of incomplete lines.
SELECT
    what,
    lines,
    example
FROM (
    SELECT
        COALESCE(error, 'read') AS what,
        COUNT(*) AS lines,
        MIN(core) AS example
    FROM verdict
    GROUP BY COALESCE(error, 'read')
    UNION ALL
    SELECT
        'no whole line' AS what,
        COUNT(*) AS lines,
        NULL AS example
    FROM broken_line
) AS told
ORDER BY lines DESC, what;
