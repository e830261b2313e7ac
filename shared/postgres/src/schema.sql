-- Copies of Meadow's models. `meadow export` makes these tables where its role may; otherwise an operator does, and
-- grants that role:
--   grant usage on schema meadow to ROLE;
--   grant select, insert, update on meadow.models, meadow.exports to ROLE;
create schema if not exists meadow;

-- One row a model, as it stands.
create table if not exists meadow.models (
    workspace   text collate "C" not null,
    id          text collate "C" not null,
    revision    bigint not null,              -- only grows
    complete    boolean not null,             -- nothing is missing in it, and it does not contradict itself
    deleted     boolean not null,             -- a tombstone: document and source are null
    document    jsonb,                        -- null too where jsonb cannot hold it; meadow.exports.problems tells
    source      text,                         -- the exact text
    sha256      text collate "C" not null,    -- of the text, hexadecimal; of a tombstone that of the text before it
    updated_at  timestamptz not null,
    exported_at timestamptz not null,
    primary key (workspace, id)
);

-- One row a run.
create table if not exists meadow.exports (
    id               bigint generated always as identity primary key,
    started_at       timestamptz not null,
    ended_at         timestamptz,                  -- null: at work, or killed; the next run tells
    cursor           timestamptz,                  -- the next run begins 15 minutes before it
    finished         boolean not null default false, -- the newest change was reached
    walked           bigint not null default 0,
    written          bigint not null default 0,
    tombstones       bigint not null default 0,
    present          bigint not null default 0,
    without_document bigint not null default 0,
    ahead            bigint not null default 0,
    unreadable       bigint not null default 0,
    problems         text[] not null default '{}', -- the first of them by name
    error            text                          -- why the run failed
);
