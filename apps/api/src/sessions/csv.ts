import type { SessionExportColumn, SessionListItem } from '@pdf2press/contract';

export const sessionColumns: Record<SessionExportColumn, (item: SessionListItem) => string | number | null> = {
  id: (item) => item.id,
  fileName: (item) => item.fileName,
  status: (item) => item.status,
  result: (item) => item.resultLevel,
  errors: (item) => item.findings?.Fail ?? null,
  warnings: (item) => item.findings?.Warn ?? null,
  createdAt: (item) => item.createdAt,
  finishedAt: (item) => item.finishedAt,
  workflow: (item) => item.workflow.name,
  workflowVersion: (item) => item.workflow.version,
  organization: (item) => item.organization?.name ?? null,
  sourceType: (item) => item.sourceType,
  source: (item) => item.source,
  externalId: (item) => item.externalId,
  pageCount: (item) => item.pageCount,
  sizeBytes: (item) => item.sizeBytes,
  archiveState: (item) => item.archiveState,
  run: (item) => item.runNumber,
};
