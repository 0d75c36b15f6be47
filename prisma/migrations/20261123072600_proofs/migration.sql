-- Proofs: what is asked, of whom, and the decisions, each chained to the one before it.
-- CreateTable
CREATE TABLE "proofs" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "step_run_id" TEXT NOT NULL,
    "node_id" TEXT NOT NULL,
    "run_no" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "file_id" TEXT NOT NULL,
    "original_file_id" TEXT NOT NULL,
    "policy" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "is_checked" BOOLEAN NOT NULL,
    "judged_by_id" TEXT,
    "profile_name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'Open',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "due_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "proofs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "proof_recipients" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "proof_id" TEXT NOT NULL,
    "no" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3),
    "link_no" INTEGER NOT NULL DEFAULT 1,
    "link_hash" BYTEA,
    "link_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "link_revoked_at" TIMESTAMPTZ(3),
    "first_viewed_at" TIMESTAMPTZ(3),
    "last_viewed_at" TIMESTAMPTZ(3),
    "view_count" INTEGER NOT NULL DEFAULT 0,
    "pages_seen" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "reminders_sent" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "proof_recipients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "proof_decisions" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "proof_id" TEXT NOT NULL,
    "recipient_id" TEXT,
    "no" INTEGER NOT NULL DEFAULT 0,
    "decision" TEXT NOT NULL,
    "request_key" TEXT NOT NULL,
    "record" JSONB NOT NULL,
    "prev_hash" BYTEA,
    "row_hash" BYTEA,

    CONSTRAINT "proof_decisions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "proofs_subscriber_id_id_key" ON "proofs"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "proofs_subscriber_id_step_run_id_key" ON "proofs"("subscriber_id", "step_run_id");

-- CreateIndex
CREATE UNIQUE INDEX "proofs_subscriber_id_session_id_node_id_version_key" ON "proofs"("subscriber_id", "session_id", "node_id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "proof_recipients_link_hash_key" ON "proof_recipients"("link_hash");

-- CreateIndex
CREATE INDEX "proof_recipients_subscriber_id_session_id_idx" ON "proof_recipients"("subscriber_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "proof_recipients_subscriber_id_id_key" ON "proof_recipients"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "proof_recipients_subscriber_id_proof_id_email_key" ON "proof_recipients"("subscriber_id", "proof_id", "email");

-- CreateIndex
CREATE INDEX "proof_decisions_subscriber_id_session_id_idx" ON "proof_decisions"("subscriber_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "proof_decisions_subscriber_id_id_key" ON "proof_decisions"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "proof_decisions_subscriber_id_no_key" ON "proof_decisions"("subscriber_id", "no");

-- CreateIndex
CREATE UNIQUE INDEX "proof_decisions_subscriber_id_proof_id_recipient_id_key" ON "proof_decisions"("subscriber_id", "proof_id", "recipient_id");

-- CreateIndex
CREATE UNIQUE INDEX "proof_decisions_subscriber_id_proof_id_request_key_key" ON "proof_decisions"("subscriber_id", "proof_id", "request_key");

-- AddForeignKey
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_subscriber_id_step_run_id_fkey" FOREIGN KEY ("subscriber_id", "step_run_id") REFERENCES "step_runs"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proofs" ADD CONSTRAINT "proofs_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proof_recipients" ADD CONSTRAINT "proof_recipients_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proof_recipients" ADD CONSTRAINT "proof_recipients_subscriber_id_proof_id_fkey" FOREIGN KEY ("subscriber_id", "proof_id") REFERENCES "proofs"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proof_recipients" ADD CONSTRAINT "proof_recipients_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proof_decisions" ADD CONSTRAINT "proof_decisions_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proof_decisions" ADD CONSTRAINT "proof_decisions_subscriber_id_proof_id_fkey" FOREIGN KEY ("subscriber_id", "proof_id") REFERENCES "proofs"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "proof_decisions" ADD CONSTRAINT "proof_decisions_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall(name) FROM unnest(ARRAY['proofs', 'proof_recipients', 'proof_decisions']) AS name;
-- Not the decisions: whoever writes one must see the newest of all, to chain it. They are read by way of their proof only.
SELECT session_wall(name) FROM unnest(ARRAY['proofs', 'proof_recipients']) AS name;

-- A decision is written once. (Deleting a subscriber takes its decisions along: the cascade runs as the owner.)
REVOKE UPDATE, DELETE ON proof_decisions FROM pdf2press_app, pdf2press_host;
CREATE TRIGGER immutable BEFORE UPDATE ON proof_decisions FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- As the audit's chain: each row carries the hash of the one before it, numbered without gaps within a subscriber.
CREATE FUNCTION proof_decision_hash(entry proof_decisions) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(entry.prev_hash || convert_to(jsonb_build_array(
    entry.subscriber_id, entry.no, entry.id, entry.proof_id, entry.recipient_id, entry.decision, entry.record)::text, 'UTF8'))
$$;
CREATE FUNCTION chain_proof_decision() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last proof_decisions;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('proof decisions ' || NEW.subscriber_id, 0));
  SELECT * INTO last FROM proof_decisions WHERE subscriber_id = NEW.subscriber_id ORDER BY no DESC LIMIT 1;
  NEW.no := coalesce(last.no, 0) + 1;
  NEW.prev_hash := coalesce(last.row_hash, '\x'::bytea);
  NEW.row_hash := proof_decision_hash(NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER chain BEFORE INSERT ON proof_decisions FOR EACH ROW EXECUTE FUNCTION chain_proof_decision();

-- Rows at which the chain does not hold: changed, or the one before is missing. None = whole.
CREATE VIEW proof_decision_breaks WITH (security_invoker = true) AS
  SELECT entry.subscriber_id, entry.no
    FROM proof_decisions entry
    LEFT JOIN proof_decisions earlier
      ON earlier.subscriber_id = entry.subscriber_id AND earlier.no = entry.no - 1
   WHERE entry.row_hash IS DISTINCT FROM proof_decision_hash(entry)
      OR entry.prev_hash IS DISTINCT FROM coalesce(earlier.row_hash, '\x'::bytea)
      OR (entry.no > 1 AND earlier.no IS NULL);
GRANT SELECT ON proof_decision_breaks TO pdf2press_app, pdf2press_host;
