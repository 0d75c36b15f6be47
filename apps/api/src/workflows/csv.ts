import type { WorkflowSummary } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const workflowColumns: Columns<WorkflowSummary> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  description: ({ description }) => description,
  organization: ({ organization }) => organization?.name ?? null,
  isEnabled: ({ isEnabled }) => isEnabled,
  publishedVersion: ({ publishedVersion }) => publishedVersion,
  hasUnpublishedChanges: ({ hasUnpublishedChanges }) => hasUnpublishedChanges,
  steps: ({ sketch }) => sketch.steps.length,
  sessionCount: ({ sessionCount }) => sessionCount,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};
