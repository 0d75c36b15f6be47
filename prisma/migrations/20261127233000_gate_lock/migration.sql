-- A gatekeeper who is deciding keeps the others of the gate from it for some minutes.
ALTER TABLE "proof_recipients" ADD COLUMN     "deciding_until" TIMESTAMPTZ(3);
