-- Sessions that are somebody's, what people write about them, and views of the list that are shared.
-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "assignee_id" TEXT;

-- CreateTable
CREATE TABLE "session_comments" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "author" JSONB NOT NULL,
    "text" TEXT NOT NULL,
    "mentions" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_comments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_views" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "owner_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "question" TEXT NOT NULL,
    "shared_with" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "session_views_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "session_comments_subscriber_id_session_id_idx" ON "session_comments"("subscriber_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "session_comments_subscriber_id_id_key" ON "session_comments"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "session_views_subscriber_id_id_key" ON "session_views"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "session_views_subscriber_id_owner_id_name_key" ON "session_views"("subscriber_id", "owner_id", "name");

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_assignee_id_idx" ON "sessions"("subscriber_id", "assignee_id");

-- AddForeignKey
ALTER TABLE "session_comments" ADD CONSTRAINT "session_comments_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "session_comments" ADD CONSTRAINT "session_comments_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "session_views" ADD CONSTRAINT "session_views_subscriber_id_owner_id_fkey" FOREIGN KEY ("subscriber_id", "owner_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "session_views" ADD CONSTRAINT "session_views_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall(name) FROM unnest(ARRAY['session_comments', 'session_views']) AS name;
SELECT session_wall(name) FROM unnest(ARRAY['session_comments']) AS name;

-- A comment is written once.
REVOKE UPDATE ON session_comments FROM pdf2press_app, pdf2press_host;

-- Whoever hands files in or decides on them may discuss them.
-- The owner sees rows of no subscriber while row-level security is forced: a migration is about all of them.
ALTER TABLE roles NO FORCE ROW LEVEL SECURITY;
UPDATE roles SET permissions = array_append(permissions, 'sessions.discuss')
 WHERE permissions && ARRAY['sessions.inject', 'sessions.hold.decide'] AND NOT 'sessions.discuss' = ANY (permissions);
ALTER TABLE roles FORCE ROW LEVEL SECURITY;

-- What is still unread of a session ends with it.
CREATE INDEX notifications_unread_of_session ON notifications (subscriber_id, (data->>'sessionId')) WHERE read_at IS NULL;
