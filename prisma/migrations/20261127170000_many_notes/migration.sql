-- Of many notes the record of a decision names the hash; their list stands beside it, and is read for certificates only.
ALTER TABLE "proof_decisions" ADD COLUMN "notes" TEXT;
