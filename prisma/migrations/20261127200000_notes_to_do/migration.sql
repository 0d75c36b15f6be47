-- Notes on proofs that the house has taken on.
ALTER TABLE "proof_notes" ADD COLUMN "is_to_do" BOOLEAN NOT NULL DEFAULT false;
