-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Views of the output of `ompd-opencl triage --json`, for SQLite 3.38 and DuckDB. First load this
-- file, then load the lines unchanged into verdict_line:
--
--   sqlite3 cores.db ".read schema.sql" ".mode ascii" '.separator "\037" "\n"' \
--       ".import verdicts.jsonl verdict_line"
--   duckdb cores.db -c ".read schema.sql" -c "INSERT INTO verdict_line
--       SELECT * FROM read_csv('verdicts.jsonl', header = false, delim = '\x1f', quote = '',
--       escape = '', columns = {'json': 'VARCHAR'})"
--
-- Then run a query: sqlite3 -box cores.db ".read top-groups.sql"
--
-- For ClickHouse use schema-clickhouse.sql; the queries are the same.

CREATE TABLE IF NOT EXISTS verdict_line (json TEXT NOT NULL);

-- Each core once, even if two runs have judged it. Incomplete lines of JSON are left out.
CREATE VIEW IF NOT EXISTS verdict_once AS
SELECT json
FROM (
    SELECT
        json,
        ROW_NUMBER() OVER (
            PARTITION BY
                json ->> '$.core', json ->> '$.host', json ->> '$.pid', json ->> '$.time'
            ORDER BY json
        ) AS place
    FROM verdict_line
    WHERE json_valid(json)
) AS numbered
WHERE place = 1;

CREATE VIEW IF NOT EXISTS broken_line AS
SELECT json FROM verdict_line WHERE NOT json_valid(json);

-- The keys that queries use, with the names of ompd-opencl-json(5). Cores are grouped by
-- signature_group: signatures by different rules, and unreadable cores, form groups of their own.
CREATE VIEW IF NOT EXISTS verdict AS
SELECT
    json ->> '$.core' AS core,
    json ->> '$.host' AS host,
    json ->> '$.program' AS program,
    json ->> '$.build_id' AS build_id,
    json ->> '$.unit' AS unit,
    json ->> '$.package' AS package,
    json ->> '$.package_version' AS package_version,
    json ->> '$.signal' AS signal,
    json ->> '$.class' AS class,
    json ->> '$.signature' AS signature,
    json ->> '$.signature_version' AS signature_version,
    json ->> '$.signature_text' AS signature_text,
    json ->> '$.signature_coarse' AS signature_coarse,
    json ->> '$.error' AS error,
    CAST(json ->> '$.time' AS BIGINT) AS time,
    CAST(json ->> '$.seconds' AS DOUBLE) AS seconds,
    json ->> '$.findings' AS findings,
    json ->> '$.is_incomplete' IN ('1', 'true') AS is_incomplete,
    COALESCE(
        (json ->> '$.signature_coarse') || ' (' || (json ->> '$.signature_version') || ')',
        'where is not known'
    ) AS signature_group
FROM verdict_once;
