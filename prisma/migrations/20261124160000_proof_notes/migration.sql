-- CreateTable
CREATE TABLE "proof_notes" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "proof_id" TEXT NOT NULL,
    "no" INTEGER,
    "answers_id" TEXT,
    "page" INTEGER,
    "box" DOUBLE PRECISION[] DEFAULT ARRAY[]::DOUBLE PRECISION[],
    "text" TEXT NOT NULL,
    "recipient_id" TEXT,
    "author_name" TEXT NOT NULL,
    "request_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "resolved_at" TIMESTAMPTZ(3),
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "proof_notes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "proof_notes_subscriber_id_session_id_idx" ON "proof_notes"("subscriber_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "proof_notes_subscriber_id_id_key" ON "proof_notes"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "proof_notes_subscriber_id_proof_id_request_key_key" ON "proof_notes"("subscriber_id", "proof_id", "request_key");

-- CreateIndex
CREATE UNIQUE INDEX "proof_notes_subscriber_id_proof_id_no_key" ON "proof_notes"("subscriber_id", "proof_id", "no");

-- AddForeignKey
ALTER TABLE "proof_notes" ADD CONSTRAINT "proof_notes_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proof_notes" ADD CONSTRAINT "proof_notes_subscriber_id_proof_id_fkey" FOREIGN KEY ("subscriber_id", "proof_id") REFERENCES "proofs"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proof_notes" ADD CONSTRAINT "proof_notes_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('proof_notes');
SELECT session_wall('proof_notes');
