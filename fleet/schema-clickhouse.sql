-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- schema.sql for ClickHouse 21.1 and later, for lines in the file verdicts.jsonl. Run it together
-- with a query:
--
--   cat schema-clickhouse.sql top-groups.sql |
--       clickhouse-local --multiquery --output-format PrettyCompact
--
-- On a server, replace the first view with a table verdict_line.

CREATE VIEW IF NOT EXISTS verdict_line AS
SELECT line AS json FROM file('verdicts.jsonl', 'LineAsString', 'line String');

CREATE VIEW IF NOT EXISTS verdict_once AS
SELECT json
FROM (
    SELECT
        json,
        ROW_NUMBER() OVER (
            PARTITION BY
                JSONExtractString(json, 'core'), JSONExtractString(json, 'host'),
                JSONExtractInt(json, 'pid'), JSONExtractInt(json, 'time')
            ORDER BY json
        ) AS place
    FROM verdict_line
    WHERE isValidJSON(json)
) AS numbered
WHERE place = 1;

CREATE VIEW IF NOT EXISTS broken_line AS
SELECT json FROM verdict_line WHERE NOT isValidJSON(json);

CREATE VIEW IF NOT EXISTS verdict AS
SELECT
    JSONExtract(json, 'core', 'Nullable(String)') AS core,
    JSONExtract(json, 'host', 'Nullable(String)') AS host,
    JSONExtract(json, 'program', 'Nullable(String)') AS program,
    JSONExtract(json, 'build_id', 'Nullable(String)') AS build_id,
    JSONExtract(json, 'unit', 'Nullable(String)') AS unit,
    JSONExtract(json, 'package', 'Nullable(String)') AS package,
    JSONExtract(json, 'package_version', 'Nullable(String)') AS package_version,
    JSONExtract(json, 'signal', 'Nullable(String)') AS signal,
    JSONExtract(json, 'class', 'Nullable(String)') AS class,
    JSONExtract(json, 'signature', 'Nullable(String)') AS signature,
    JSONExtract(json, 'signature_version', 'Nullable(String)') AS signature_version,
    JSONExtract(json, 'signature_text', 'Nullable(String)') AS signature_text,
    JSONExtract(json, 'signature_coarse', 'Nullable(String)') AS signature_coarse,
    JSONExtract(json, 'error', 'Nullable(String)') AS error,
    JSONExtract(json, 'time', 'Nullable(Int64)') AS time,
    JSONExtract(json, 'seconds', 'Nullable(Float64)') AS seconds,
    JSONExtractRaw(json, 'findings') AS findings,
    JSONExtractBool(json, 'is_incomplete') AS is_incomplete,
    COALESCE(signature_coarse || ' (' || signature_version || ')', 'where is not known')
        AS signature_group
FROM verdict_once;
