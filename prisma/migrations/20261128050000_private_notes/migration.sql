-- Answers to answers: each stays with its note, and names the one that it replies to.
ALTER TABLE "proof_notes" ADD COLUMN "replies_to_id" TEXT;

-- What the house writes about a proof for itself.
-- CreateTable
CREATE TABLE "private_notes" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "proof_id" TEXT NOT NULL,
    "note_id" TEXT,
    "author" JSONB NOT NULL,
    "text" TEXT NOT NULL,
    "request_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "private_notes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "private_notes_subscriber_id_session_id_idx" ON "private_notes"("subscriber_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "private_notes_subscriber_id_id_key" ON "private_notes"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "private_notes_subscriber_id_proof_id_request_key_key" ON "private_notes"("subscriber_id", "proof_id", "request_key");

-- AddForeignKey
ALTER TABLE "private_notes" ADD CONSTRAINT "private_notes_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "private_notes" ADD CONSTRAINT "private_notes_subscriber_id_proof_id_fkey" FOREIGN KEY ("subscriber_id", "proof_id") REFERENCES "proofs"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "private_notes" ADD CONSTRAINT "private_notes_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('private_notes');
SELECT session_wall('private_notes');

-- A private note is written once.
REVOKE UPDATE ON private_notes FROM pdf2press_app, pdf2press_host;
