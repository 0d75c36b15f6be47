-- CreateEnum
CREATE TYPE "session_status" AS ENUM ('InQueue', 'Processing', 'CompletedWithWarnings', 'Completed', 'Failed', 'OnHold', 'CanceledByUser', 'Rerouted', 'CanceledByOperator');

-- CreateEnum
CREATE TYPE "archive_state" AS ENUM ('Unarchived', 'Archived', 'Archiving', 'Unarchiving');

-- CreateEnum
CREATE TYPE "session_source" AS ENUM ('CloudFolder', 'ExternalApi', 'Email', 'ReplacedFileAndRestartedWorkflow', 'InjectedFromPreviousWorkflow', 'ManualInjected', 'PublicFileUpload');

-- CreateEnum
CREATE TYPE "step_status" AS ENUM ('Blocked', 'Ready', 'Running', 'Waiting', 'Succeeded', 'Warned', 'Failed', 'Skipped', 'Canceled');

-- CreateEnum
CREATE TYPE "file_kind" AS ENUM ('OriginalFile', 'ProductionFile', 'OriginalFileThumbnails', 'ProductionFileThumbnails', 'Others');

-- CreateEnum
CREATE TYPE "result_level" AS ENUM ('Success', 'Warning', 'Error');

-- CreateEnum
CREATE TYPE "effect_state" AS ENUM ('Pending', 'Sending', 'Done', 'Dead');

-- CreateEnum
CREATE TYPE "ingest_state" AS ENUM ('Seen', 'Accepted', 'Rejected', 'Retry');

-- CreateEnum
CREATE TYPE "upload_state" AS ENUM ('Open', 'Completed', 'Expired');

-- CreateTable
CREATE TABLE "users" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "first_name" TEXT NOT NULL DEFAULT '',
    "last_name" TEXT NOT NULL DEFAULT '',
    "user_name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "phone" TEXT NOT NULL DEFAULT '',
    "password_hash" TEXT,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "permission_version" INTEGER NOT NULL DEFAULT 1,
    "is_organization_restricted" BOOLEAN NOT NULL DEFAULT false,
    "locale" TEXT NOT NULL DEFAULT 'en',
    "preferences" JSONB NOT NULL DEFAULT '{}',
    "last_signed_in_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "roles" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "name" TEXT NOT NULL,
    "permissions" TEXT[],
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "is_static" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_roles" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "user_id" TEXT NOT NULL,
    "role_id" TEXT NOT NULL,

    CONSTRAINT "user_roles_pkey" PRIMARY KEY ("subscriber_id","user_id","role_id")
);

-- CreateTable
CREATE TABLE "user_organizations" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "user_id" TEXT NOT NULL,
    "organization_id" TEXT NOT NULL,

    CONSTRAINT "user_organizations_pkey" PRIMARY KEY ("subscriber_id","user_id","organization_id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "permissions" TEXT[],
    "created_by_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_sessions" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "user_id" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL DEFAULT '',
    "ip" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "absolute_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_reason" TEXT,

    CONSTRAINT "user_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refresh_tokens" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "user_session_id" TEXT NOT NULL,
    "gen" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "used_by_ip" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("subscriber_id","user_session_id","gen")
);

-- CreateTable
CREATE TABLE "one_time_tokens" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "purpose" TEXT NOT NULL,
    "user_id" TEXT,
    "hash" BYTEA NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "one_time_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_attempts" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "has_succeeded" BOOLEAN NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "login_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lockouts" (
    "key" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "notified_at" TIMESTAMPTZ(3),

    CONSTRAINT "lockouts_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key","window_start")
);

-- CreateTable
CREATE TABLE "host_facts" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "host_facts_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "user_id" TEXT,
    "kind" TEXT NOT NULL,
    "severity" TEXT NOT NULL DEFAULT 'Info',
    "data" JSONB NOT NULL DEFAULT '{}',
    "read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "seq" BIGSERIAL NOT NULL,
    "no" INTEGER NOT NULL DEFAULT 0,
    "actor" JSONB NOT NULL,
    "act" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "ip" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "prev_hash" BYTEA,
    "row_hash" BYTEA,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "ingest_items" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "source_kind" TEXT NOT NULL,
    "source_key" TEXT NOT NULL,
    "state" "ingest_state" NOT NULL DEFAULT 'Seen',
    "reason" TEXT,
    "name" TEXT NOT NULL DEFAULT '',
    "size" BIGINT,
    "sha256" TEXT,
    "session_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ingest_items_pkey" PRIMARY KEY ("subscriber_id","source_kind","source_key")
);

-- CreateTable
CREATE TABLE "poll_cursors" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "profile_id" TEXT NOT NULL,
    "cursor" JSONB,
    "lease_owner" TEXT,
    "lease_epoch" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "last_ok_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "poll_cursors_pkey" PRIMARY KEY ("subscriber_id","profile_id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "principal" JSONB NOT NULL,
    "organization_id" TEXT,
    "workflow_id" TEXT,
    "file_name" TEXT NOT NULL,
    "declared_size" BIGINT NOT NULL,
    "offset" BIGINT NOT NULL DEFAULT 0,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "state" "upload_state" NOT NULL DEFAULT 'Open',
    "session_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "public_id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "workflow_version_id" TEXT NOT NULL,
    "organization_id" TEXT,
    "parent_session_id" TEXT,
    "run_no" INTEGER NOT NULL DEFAULT 1,
    "status" "session_status" NOT NULL DEFAULT 'InQueue',
    "archive_state" "archive_state" NOT NULL DEFAULT 'Unarchived',
    "version" INTEGER NOT NULL DEFAULT 1,
    "stop_requested_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "source" "session_source" NOT NULL,
    "source_name" TEXT NOT NULL DEFAULT '',
    "source_ref" TEXT NOT NULL DEFAULT '',
    "file_name" TEXT NOT NULL,
    "file_size" BIGINT NOT NULL DEFAULT 0,
    "page_count" INTEGER,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "result" "result_level",
    "error_count" INTEGER NOT NULL DEFAULT 0,
    "warning_count" INTEGER NOT NULL DEFAULT 0,
    "info_count" INTEGER NOT NULL DEFAULT 0,
    "error_code" TEXT,
    "error_params" JSONB,
    "reroute_count" INTEGER NOT NULL DEFAULT 0,
    "created_by" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "step_runs" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "run_no" INTEGER NOT NULL,
    "node_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "kind_version" INTEGER NOT NULL DEFAULT 1,
    "iteration" INTEGER NOT NULL DEFAULT 0,
    "status" "step_status" NOT NULL DEFAULT 'Ready',
    "outcome" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "crash_count" INTEGER NOT NULL DEFAULT 0,
    "lost_count" INTEGER NOT NULL DEFAULT 0,
    "resource_count" INTEGER NOT NULL DEFAULT 0,
    "remote_count" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "ready_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dispatched_at" TIMESTAMPTZ(3),
    "dispatch_no" INTEGER NOT NULL DEFAULT 0,
    "is_heavy" BOOLEAN NOT NULL DEFAULT false,
    "priority" INTEGER NOT NULL DEFAULT 0,
    "input" JSONB NOT NULL DEFAULT '{}',
    "output" JSONB,
    "error_code" TEXT,
    "error_params" JSONB,
    "engine_version" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "step_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "waits" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "step_run_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "allowed" TEXT[],
    "data" JSONB NOT NULL DEFAULT '{}',
    "due_at" TIMESTAMPTZ(3),
    "on_due" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decision" TEXT,
    "decided_by" JSONB,
    "decision_data" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "waits_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blobs" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "sha256" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "verified_at" TIMESTAMPTZ(3),

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("subscriber_id","sha256")
);

-- CreateTable
CREATE TABLE "files" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "step_run_id" TEXT,
    "sha256" TEXT NOT NULL,
    "run_no" INTEGER NOT NULL,
    "kind" "file_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "page" INTEGER,
    "meta" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "findings" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "session_id" TEXT NOT NULL,
    "step_run_id" TEXT NOT NULL,
    "run_no" INTEGER NOT NULL,
    "no" INTEGER NOT NULL,
    "check_key" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "page" INTEGER,
    "data" JSONB NOT NULL,

    CONSTRAINT "findings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_events" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "seq" BIGSERIAL NOT NULL,
    "session_id" TEXT NOT NULL,
    "step_run_id" TEXT,
    "run_no" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" JSONB NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "cause_key" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "transaction" xid8 NOT NULL DEFAULT pg_current_xact_id(),

    CONSTRAINT "session_events_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "effects" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "session_id" TEXT,
    "payload" JSONB NOT NULL,
    "state" "effect_state" NOT NULL DEFAULT 'Pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "was_unknown" BOOLEAN NOT NULL DEFAULT false,
    "remote_ref" TEXT,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "effects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subscribers" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscribers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "features" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "feature_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "features_pkey" PRIMARY KEY ("subscriber_id","feature_key")
);

-- CreateTable
CREATE TABLE "organizations" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "name" TEXT NOT NULL,
    "color" TEXT,
    "page_logo_sha256" TEXT,
    "email_logo_sha256" TEXT,
    "is_public" BOOLEAN NOT NULL DEFAULT false,
    "upload_slug" TEXT,
    "upload_code_hash" BYTEA,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "options" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_workflows" (
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "organization_id" TEXT NOT NULL,
    "workflow_id" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "organization_workflows_pkey" PRIMARY KEY ("subscriber_id","organization_id","workflow_id")
);

-- CreateTable
CREATE TABLE "system_settings" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "is_global" BOOLEAN NOT NULL DEFAULT false,
    "password_settings" JSONB NOT NULL,
    "smtp_settings" JSONB NOT NULL,
    "proof_approval_settings" JSONB NOT NULL,
    "measurement_settings" JSONB NOT NULL,
    "user_settings" JSONB NOT NULL,
    "roi_settings" JSONB NOT NULL,
    "archiving_settings" JSONB NOT NULL,
    "culture" TEXT NOT NULL DEFAULT 'en-US',
    "show_version_number" BOOLEAN NOT NULL DEFAULT true,
    "estimated_prepress_labor_cost" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "extra" JSONB NOT NULL DEFAULT '{}',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "system_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secrets" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "purpose" TEXT NOT NULL,
    "kek_id" TEXT NOT NULL,
    "wrapped_dek" BYTEA NOT NULL,
    "nonce" BYTEA NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rotated_at" TIMESTAMPTZ(3),

    CONSTRAINT "secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflows" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "draft" JSONB NOT NULL,
    "draft_version" INTEGER NOT NULL DEFAULT 1,
    "published_no" INTEGER,
    "organization_id" TEXT,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "workflows_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workflow_versions" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "workflow_id" TEXT NOT NULL,
    "no" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,
    "profiles" JSONB NOT NULL,
    "schema_version" INTEGER NOT NULL DEFAULT 1,
    "hash" TEXT NOT NULL,
    "published_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workflow_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "profiles" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "current_no" INTEGER NOT NULL DEFAULT 1,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "preset" TEXT,
    "organization_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "profiles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "profile_versions" (
    "id" TEXT NOT NULL,
    "subscriber_id" TEXT NOT NULL DEFAULT current_subscriber(),
    "profile_id" TEXT NOT NULL,
    "no" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "schema_version" INTEGER NOT NULL DEFAULT 1,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "profile_versions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "users_subscriber_id_id_key" ON "users"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "users_subscriber_id_user_name_key" ON "users"("subscriber_id", "user_name");

-- CreateIndex
CREATE UNIQUE INDEX "roles_subscriber_id_id_key" ON "roles"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "roles_subscriber_id_name_key" ON "roles"("subscriber_id", "name");

-- CreateIndex
CREATE INDEX "user_roles_subscriber_id_user_id_idx" ON "user_roles"("subscriber_id", "user_id");

-- CreateIndex
CREATE INDEX "user_roles_subscriber_id_role_id_idx" ON "user_roles"("subscriber_id", "role_id");

-- CreateIndex
CREATE INDEX "user_organizations_subscriber_id_user_id_idx" ON "user_organizations"("subscriber_id", "user_id");

-- CreateIndex
CREATE INDEX "user_organizations_subscriber_id_organization_id_idx" ON "user_organizations"("subscriber_id", "organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_subscriber_id_created_by_id_idx" ON "api_keys"("subscriber_id", "created_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_subscriber_id_id_key" ON "api_keys"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "user_sessions_subscriber_id_user_id_idx" ON "user_sessions"("subscriber_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_sessions_subscriber_id_id_key" ON "user_sessions"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_tokens_hash_key" ON "refresh_tokens"("hash");

-- CreateIndex
CREATE INDEX "refresh_tokens_subscriber_id_user_session_id_idx" ON "refresh_tokens"("subscriber_id", "user_session_id");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_tokens_hash_key" ON "one_time_tokens"("hash");

-- CreateIndex
CREATE INDEX "one_time_tokens_subscriber_id_user_id_idx" ON "one_time_tokens"("subscriber_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_tokens_subscriber_id_id_key" ON "one_time_tokens"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "login_attempts_key_at_idx" ON "login_attempts"("key", "at");

-- CreateIndex
CREATE INDEX "notifications_subscriber_id_user_id_idx" ON "notifications"("subscriber_id", "user_id");

-- CreateIndex
CREATE INDEX "notifications_subscriber_id_created_at_idx" ON "notifications"("subscriber_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_subscriber_id_id_key" ON "notifications"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entries_subscriber_id_no_key" ON "audit_entries"("subscriber_id", "no");

-- CreateIndex
CREATE INDEX "ingest_items_subscriber_id_session_id_idx" ON "ingest_items"("subscriber_id", "session_id");

-- CreateIndex
CREATE INDEX "poll_cursors_subscriber_id_profile_id_idx" ON "poll_cursors"("subscriber_id", "profile_id");

-- CreateIndex
CREATE INDEX "uploads_subscriber_id_organization_id_idx" ON "uploads"("subscriber_id", "organization_id");

-- CreateIndex
CREATE INDEX "uploads_subscriber_id_session_id_idx" ON "uploads"("subscriber_id", "session_id");

-- CreateIndex
CREATE INDEX "uploads_state_expires_at_idx" ON "uploads"("state", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "uploads_subscriber_id_id_key" ON "uploads"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_public_id_key" ON "sessions"("public_id");

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_workflow_version_id_idx" ON "sessions"("subscriber_id", "workflow_version_id");

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_organization_id_idx" ON "sessions"("subscriber_id", "organization_id");

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_parent_session_id_idx" ON "sessions"("subscriber_id", "parent_session_id");

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_created_at_idx" ON "sessions"("subscriber_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_status_created_at_idx" ON "sessions"("subscriber_id", "status", "created_at" DESC);

-- CreateIndex
CREATE INDEX "sessions_subscriber_id_workflow_id_created_at_idx" ON "sessions"("subscriber_id", "workflow_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "sessions_subscriber_id_id_key" ON "sessions"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "step_runs_subscriber_id_session_id_idx" ON "step_runs"("subscriber_id", "session_id");

-- CreateIndex
CREATE INDEX "step_runs_status_ready_at_idx" ON "step_runs"("status", "ready_at");

-- CreateIndex
CREATE INDEX "step_runs_status_lease_until_idx" ON "step_runs"("status", "lease_until");

-- CreateIndex
CREATE UNIQUE INDEX "step_runs_subscriber_id_id_key" ON "step_runs"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "step_runs_subscriber_id_session_id_run_no_node_id_iteration_key" ON "step_runs"("subscriber_id", "session_id", "run_no", "node_id", "iteration");

-- CreateIndex
CREATE INDEX "waits_subscriber_id_session_id_idx" ON "waits"("subscriber_id", "session_id");

-- CreateIndex
CREATE INDEX "waits_due_at_idx" ON "waits"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "waits_subscriber_id_id_key" ON "waits"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "waits_subscriber_id_step_run_id_key" ON "waits"("subscriber_id", "step_run_id");

-- CreateIndex
CREATE INDEX "files_subscriber_id_step_run_id_idx" ON "files"("subscriber_id", "step_run_id");

-- CreateIndex
CREATE INDEX "files_subscriber_id_sha256_idx" ON "files"("subscriber_id", "sha256");

-- CreateIndex
CREATE INDEX "files_subscriber_id_session_id_kind_idx" ON "files"("subscriber_id", "session_id", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "files_subscriber_id_id_key" ON "files"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "findings_subscriber_id_step_run_id_idx" ON "findings"("subscriber_id", "step_run_id");

-- CreateIndex
CREATE INDEX "findings_subscriber_id_session_id_run_no_idx" ON "findings"("subscriber_id", "session_id", "run_no");

-- CreateIndex
CREATE UNIQUE INDEX "findings_subscriber_id_id_key" ON "findings"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "session_events_subscriber_id_session_id_seq_idx" ON "session_events"("subscriber_id", "session_id", "seq");

-- CreateIndex
CREATE INDEX "session_events_subscriber_id_seq_idx" ON "session_events"("subscriber_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "session_events_subscriber_id_cause_key_key" ON "session_events"("subscriber_id", "cause_key");

-- CreateIndex
CREATE INDEX "effects_subscriber_id_session_id_idx" ON "effects"("subscriber_id", "session_id");

-- CreateIndex
CREATE INDEX "effects_state_next_at_idx" ON "effects"("state", "next_at");

-- CreateIndex
CREATE UNIQUE INDEX "effects_subscriber_id_id_key" ON "effects"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "effects_subscriber_id_key_key" ON "effects"("subscriber_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "organizations_upload_slug_key" ON "organizations"("upload_slug");

-- CreateIndex
CREATE INDEX "organizations_subscriber_id_page_logo_sha256_idx" ON "organizations"("subscriber_id", "page_logo_sha256");

-- CreateIndex
CREATE INDEX "organizations_subscriber_id_email_logo_sha256_idx" ON "organizations"("subscriber_id", "email_logo_sha256");

-- CreateIndex
CREATE INDEX "organizations_subscriber_id_name_idx" ON "organizations"("subscriber_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "organizations_subscriber_id_id_key" ON "organizations"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "organization_workflows_subscriber_id_organization_id_idx" ON "organization_workflows"("subscriber_id", "organization_id");

-- CreateIndex
CREATE INDEX "organization_workflows_subscriber_id_workflow_id_idx" ON "organization_workflows"("subscriber_id", "workflow_id");

-- CreateIndex
CREATE UNIQUE INDEX "system_settings_subscriber_id_id_key" ON "system_settings"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "system_settings_subscriber_id_key" ON "system_settings"("subscriber_id");

-- CreateIndex
CREATE UNIQUE INDEX "secrets_subscriber_id_id_key" ON "secrets"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "workflows_subscriber_id_organization_id_idx" ON "workflows"("subscriber_id", "organization_id");

-- CreateIndex
CREATE INDEX "workflows_subscriber_id_created_by_id_idx" ON "workflows"("subscriber_id", "created_by_id");

-- CreateIndex
CREATE INDEX "workflows_subscriber_id_name_idx" ON "workflows"("subscriber_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "workflows_subscriber_id_id_key" ON "workflows"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "workflow_versions_subscriber_id_workflow_id_idx" ON "workflow_versions"("subscriber_id", "workflow_id");

-- CreateIndex
CREATE INDEX "workflow_versions_subscriber_id_published_by_id_idx" ON "workflow_versions"("subscriber_id", "published_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "workflow_versions_subscriber_id_id_key" ON "workflow_versions"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "workflow_versions_subscriber_id_workflow_id_no_key" ON "workflow_versions"("subscriber_id", "workflow_id", "no");

-- CreateIndex
CREATE INDEX "profiles_subscriber_id_organization_id_idx" ON "profiles"("subscriber_id", "organization_id");

-- CreateIndex
CREATE INDEX "profiles_subscriber_id_kind_name_idx" ON "profiles"("subscriber_id", "kind", "name");

-- CreateIndex
CREATE UNIQUE INDEX "profiles_subscriber_id_id_key" ON "profiles"("subscriber_id", "id");

-- CreateIndex
CREATE INDEX "profile_versions_subscriber_id_profile_id_idx" ON "profile_versions"("subscriber_id", "profile_id");

-- CreateIndex
CREATE INDEX "profile_versions_subscriber_id_created_by_id_idx" ON "profile_versions"("subscriber_id", "created_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "profile_versions_subscriber_id_id_key" ON "profile_versions"("subscriber_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "profile_versions_subscriber_id_profile_id_no_key" ON "profile_versions"("subscriber_id", "profile_id", "no");

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "roles" ADD CONSTRAINT "roles_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_subscriber_id_user_id_fkey" FOREIGN KEY ("subscriber_id", "user_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_subscriber_id_role_id_fkey" FOREIGN KEY ("subscriber_id", "role_id") REFERENCES "roles"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_organizations" ADD CONSTRAINT "user_organizations_subscriber_id_user_id_fkey" FOREIGN KEY ("subscriber_id", "user_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_organizations" ADD CONSTRAINT "user_organizations_subscriber_id_organization_id_fkey" FOREIGN KEY ("subscriber_id", "organization_id") REFERENCES "organizations"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_organizations" ADD CONSTRAINT "user_organizations_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_subscriber_id_created_by_id_fkey" FOREIGN KEY ("subscriber_id", "created_by_id") REFERENCES "users"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_subscriber_id_user_id_fkey" FOREIGN KEY ("subscriber_id", "user_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "user_sessions" ADD CONSTRAINT "user_sessions_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_subscriber_id_user_session_id_fkey" FOREIGN KEY ("subscriber_id", "user_session_id") REFERENCES "user_sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "one_time_tokens" ADD CONSTRAINT "one_time_tokens_subscriber_id_user_id_fkey" FOREIGN KEY ("subscriber_id", "user_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "one_time_tokens" ADD CONSTRAINT "one_time_tokens_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_subscriber_id_user_id_fkey" FOREIGN KEY ("subscriber_id", "user_id") REFERENCES "users"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "ingest_items" ADD CONSTRAINT "ingest_items_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "ingest_items" ADD CONSTRAINT "ingest_items_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "poll_cursors" ADD CONSTRAINT "poll_cursors_subscriber_id_profile_id_fkey" FOREIGN KEY ("subscriber_id", "profile_id") REFERENCES "profiles"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "poll_cursors" ADD CONSTRAINT "poll_cursors_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_subscriber_id_organization_id_fkey" FOREIGN KEY ("subscriber_id", "organization_id") REFERENCES "organizations"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_subscriber_id_workflow_id_fkey" FOREIGN KEY ("subscriber_id", "workflow_id") REFERENCES "workflows"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_subscriber_id_workflow_version_id_fkey" FOREIGN KEY ("subscriber_id", "workflow_version_id") REFERENCES "workflow_versions"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_subscriber_id_organization_id_fkey" FOREIGN KEY ("subscriber_id", "organization_id") REFERENCES "organizations"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_subscriber_id_parent_session_id_fkey" FOREIGN KEY ("subscriber_id", "parent_session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "step_runs" ADD CONSTRAINT "step_runs_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "step_runs" ADD CONSTRAINT "step_runs_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "waits" ADD CONSTRAINT "waits_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "waits" ADD CONSTRAINT "waits_subscriber_id_step_run_id_fkey" FOREIGN KEY ("subscriber_id", "step_run_id") REFERENCES "step_runs"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "waits" ADD CONSTRAINT "waits_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_subscriber_id_step_run_id_fkey" FOREIGN KEY ("subscriber_id", "step_run_id") REFERENCES "step_runs"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_subscriber_id_sha256_fkey" FOREIGN KEY ("subscriber_id", "sha256") REFERENCES "blobs"("subscriber_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "findings" ADD CONSTRAINT "findings_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "findings" ADD CONSTRAINT "findings_subscriber_id_step_run_id_fkey" FOREIGN KEY ("subscriber_id", "step_run_id") REFERENCES "step_runs"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "findings" ADD CONSTRAINT "findings_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "session_events" ADD CONSTRAINT "session_events_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "session_events" ADD CONSTRAINT "session_events_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effects" ADD CONSTRAINT "effects_subscriber_id_session_id_fkey" FOREIGN KEY ("subscriber_id", "session_id") REFERENCES "sessions"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "effects" ADD CONSTRAINT "effects_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "features" ADD CONSTRAINT "features_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_subscriber_id_page_logo_sha256_fkey" FOREIGN KEY ("subscriber_id", "page_logo_sha256") REFERENCES "blobs"("subscriber_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_subscriber_id_email_logo_sha256_fkey" FOREIGN KEY ("subscriber_id", "email_logo_sha256") REFERENCES "blobs"("subscriber_id", "sha256") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "organization_workflows" ADD CONSTRAINT "organization_workflows_subscriber_id_organization_id_fkey" FOREIGN KEY ("subscriber_id", "organization_id") REFERENCES "organizations"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "organization_workflows" ADD CONSTRAINT "organization_workflows_subscriber_id_workflow_id_fkey" FOREIGN KEY ("subscriber_id", "workflow_id") REFERENCES "workflows"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "organization_workflows" ADD CONSTRAINT "organization_workflows_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "system_settings" ADD CONSTRAINT "system_settings_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_subscriber_id_organization_id_fkey" FOREIGN KEY ("subscriber_id", "organization_id") REFERENCES "organizations"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_subscriber_id_created_by_id_fkey" FOREIGN KEY ("subscriber_id", "created_by_id") REFERENCES "users"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_subscriber_id_workflow_id_fkey" FOREIGN KEY ("subscriber_id", "workflow_id") REFERENCES "workflows"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_subscriber_id_published_by_id_fkey" FOREIGN KEY ("subscriber_id", "published_by_id") REFERENCES "users"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_subscriber_id_organization_id_fkey" FOREIGN KEY ("subscriber_id", "organization_id") REFERENCES "organizations"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "profile_versions" ADD CONSTRAINT "profile_versions_subscriber_id_profile_id_fkey" FOREIGN KEY ("subscriber_id", "profile_id") REFERENCES "profiles"("subscriber_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "profile_versions" ADD CONSTRAINT "profile_versions_subscriber_id_created_by_id_fkey" FOREIGN KEY ("subscriber_id", "created_by_id") REFERENCES "users"("subscriber_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "profile_versions" ADD CONSTRAINT "profile_versions_subscriber_id_fkey" FOREIGN KEY ("subscriber_id") REFERENCES "subscribers"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- The wall (see the migration before this one).
SELECT tenant_wall('subscribers', 'id');
SELECT tenant_wall(name) FROM unnest(ARRAY[
  'features', 'organizations', 'organization_workflows', 'system_settings', 'secrets',
  'users', 'roles', 'user_roles', 'user_organizations', 'api_keys', 'user_sessions', 'refresh_tokens', 'one_time_tokens',
  'notifications', 'audit_entries',
  'workflows', 'workflow_versions', 'profiles', 'profile_versions',
  'sessions', 'step_runs', 'waits', 'blobs', 'files', 'findings', 'session_events', 'effects',
  'ingest_items', 'poll_cursors', 'uploads'
]) AS name;
SELECT host_wall(name) FROM unnest(ARRAY['login_attempts', 'lockouts', 'rate_limits', 'host_facts']) AS name;
SELECT organization_wall('sessions'), organization_wall('uploads');
SELECT session_wall(name) FROM unnest(ARRAY['step_runs', 'waits', 'files', 'findings', 'session_events']) AS name;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO pdf2press_app, pdf2press_host;

-- History is appended to, never changed. (Deleting a session takes its events along: the cascade runs as the owner.)
REVOKE UPDATE, DELETE ON session_events, audit_entries FROM pdf2press_app, pdf2press_host;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is immutable', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER immutable BEFORE UPDATE ON workflow_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER immutable BEFORE UPDATE ON profile_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Legal moves, the contract's table says the same and a test compares them pair by pair.
CREATE FUNCTION session_may_move(was session_status, becomes session_status) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE was
    WHEN 'InQueue' THEN becomes <> 'InQueue'
    WHEN 'Processing' THEN becomes NOT IN ('InQueue', 'Processing')
    WHEN 'OnHold' THEN becomes <> 'OnHold'
    ELSE becomes = 'InQueue'
  END
$$;
CREATE FUNCTION guard_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.run_no < OLD.run_no THEN
    RAISE EXCEPTION 'a run does not come back' USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.status <> OLD.status THEN
    IF NOT session_may_move(OLD.status, NEW.status) THEN
      RAISE EXCEPTION 'a session does not move from % to %', OLD.status, NEW.status USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.deleted_at IS NOT NULL THEN
      RAISE EXCEPTION 'a deleted session stays as it is' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD.status NOT IN ('InQueue', 'Processing', 'OnHold') AND NEW.run_no = OLD.run_no THEN
      RAISE EXCEPTION 'an ended session begins a new run' USING ERRCODE = 'restrict_violation';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION guard_session();

-- An ended step is never written again: whoever tries lost the race and must not notice by chance only.
CREATE FUNCTION guard_step_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('Succeeded', 'Warned', 'Failed', 'Skipped', 'Canceled') THEN
    RAISE EXCEPTION 'step run % has ended', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  IF NEW.epoch < OLD.epoch THEN
    RAISE EXCEPTION 'an epoch does not come back' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard BEFORE UPDATE ON step_runs FOR EACH ROW EXECUTE FUNCTION guard_step_run();

CREATE FUNCTION guard_wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.decided_at IS NOT NULL THEN
    RAISE EXCEPTION 'wait % is decided', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard BEFORE UPDATE ON waits FOR EACH ROW EXECUTE FUNCTION guard_wait();

-- Hints for listeners, whoever misses one polls.
CREATE FUNCTION announce_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('pdf2press_steps', '');
  RETURN NULL;
END $$;
CREATE TRIGGER announce_new AFTER INSERT ON step_runs
  FOR EACH ROW WHEN (NEW.status = 'Ready') EXECUTE FUNCTION announce_step();
CREATE TRIGGER announce_again AFTER UPDATE OF status ON step_runs
  FOR EACH ROW WHEN (NEW.status = 'Ready' AND OLD.status <> 'Ready') EXECUTE FUNCTION announce_step();

CREATE FUNCTION announce_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('pdf2press_events', NEW.subscriber_id || ' ' || NEW.session_id);
  RETURN NULL;
END $$;
CREATE TRIGGER announce AFTER INSERT ON session_events FOR EACH ROW EXECUTE FUNCTION announce_event();

-- The audit chain: each row carries the hash of the one before it, numbered without gaps within a subscriber.
CREATE FUNCTION audit_hash(entry audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(entry.prev_hash || convert_to(jsonb_build_array(
    entry.subscriber_id, entry.no, entry.actor, entry.act, entry.object, entry.before, entry.after, entry.ip,
    extract(epoch FROM entry.at))::text, 'UTF8'))
$$;
CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last audit_entries;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('audit ' || NEW.subscriber_id, 0));
  SELECT * INTO last FROM audit_entries WHERE subscriber_id = NEW.subscriber_id ORDER BY no DESC LIMIT 1;
  NEW.no := coalesce(last.no, 0) + 1;
  NEW.prev_hash := coalesce(last.row_hash, '\x'::bytea);
  NEW.at := clock_timestamp();
  NEW.row_hash := audit_hash(NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER chain BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

-- Rows at which the chain does not hold: changed, or the one before is missing. None = whole.
CREATE VIEW audit_breaks WITH (security_invoker = true) AS
  SELECT entry.subscriber_id, entry.no
    FROM audit_entries entry
    LEFT JOIN audit_entries earlier
      ON earlier.subscriber_id = entry.subscriber_id AND earlier.no = entry.no - 1
   WHERE entry.row_hash IS DISTINCT FROM audit_hash(entry)
      OR entry.prev_hash IS DISTINCT FROM coalesce(earlier.row_hash, '\x'::bytea)
      OR (entry.no > 1 AND earlier.no IS NULL);
GRANT SELECT ON audit_breaks TO pdf2press_app, pdf2press_host;
