-- CreateTable
CREATE TABLE "audit_anchors" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "day" DATE NOT NULL,
    "no" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "audit_anchors_pkey" PRIMARY KEY ("subscriber_id","day")
);

-- AddForeignKey
ALTER TABLE "audit_anchors" ADD CONSTRAINT "audit_anchors_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('audit_anchors');
-- What an anchor holds is never changed, as the entries of the audit.
REVOKE UPDATE, DELETE ON audit_anchors FROM pdf2press_app, pdf2press_host;
