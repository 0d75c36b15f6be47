-- Whoever is asked before the others, and must approve first. Nobody was until now.
ALTER TABLE "proof_recipients" ADD COLUMN "is_gatekeeper" BOOLEAN NOT NULL DEFAULT false;
