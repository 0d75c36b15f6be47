-- When the newest message with the link was given up; null = it was not, or it has arrived since.
ALTER TABLE "proof_recipients" ADD COLUMN "refused_at" TIMESTAMPTZ(3);
