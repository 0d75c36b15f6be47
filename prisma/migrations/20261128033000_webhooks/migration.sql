-- CreateTable
CREATE TABLE "webhooks" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "is_on" BOOLEAN NOT NULL DEFAULT true,
    "secret_id" TEXT NOT NULL,
    "old_secret_id" TEXT,
    "old_secret_until" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "webhooks_subscriber_id_id_key" ON "webhooks"("subscriber_id", "id");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

SELECT tenant_wall('webhooks');

-- The calls of one webhook, the newest first.
CREATE INDEX "effects_of_webhook" ON "effects" ("subscriber_id", (payload ->> 'webhookId'), "created_at" DESC)
 WHERE kind = 'webhook' AND payload ? 'webhookId';
