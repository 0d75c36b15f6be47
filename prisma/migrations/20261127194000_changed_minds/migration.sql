-- Somebody may change their answer while others are still asked: each answer is a record of its own, and the newest counts.
DROP INDEX "proof_decisions_subscriber_id_proof_id_recipient_id_key";
CREATE INDEX "proof_decisions_subscriber_id_proof_id_recipient_id_idx" ON "proof_decisions"("subscriber_id", "proof_id", "recipient_id");
