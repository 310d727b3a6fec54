BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'waymark','tables_and_entries','2026-11-21 19:50:53.947425+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'waymark','facts_of_boxes','2026-11-21 19:50:53.947984+00:00');
CREATE TABLE entries (
            table_id INTEGER NOT NULL REFERENCES tables(id),
            number INTEGER NOT NULL,
            tap TEXT NOT NULL,
            at TEXT NOT NULL,
            device TEXT NOT NULL,
            seat INTEGER,
            what TEXT NOT NULL,
            PRIMARY KEY (table_id, number),
            UNIQUE (table_id, tap)
        ) WITHOUT ROWID
        ;
CREATE TABLE "facts" (
   "game" TEXT PRIMARY KEY,
   "what" TEXT NOT NULL
);
CREATE TABLE "tables" (
   "id" INTEGER PRIMARY KEY,
   "code" TEXT NOT NULL
);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE UNIQUE INDEX "idx_tables_code"
    ON "tables" ("code");
CREATE INDEX "idx_entries_device"
    ON "entries" ("device");
COMMIT;
