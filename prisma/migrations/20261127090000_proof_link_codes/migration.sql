-- Codes that are mailed to recipients of a proof: how many were, when the newest was asked for, and how often one was entered.
ALTER TABLE "proof_recipients"
  ADD COLUMN "code_no" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "code_asked_at" TIMESTAMPTZ(3),
  ADD COLUMN "code_tries" INTEGER NOT NULL DEFAULT 0;
