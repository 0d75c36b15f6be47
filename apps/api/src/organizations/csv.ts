import type { OrganizationSummary } from '@pdf2press/contract';
import type { Columns } from '../frame/csv.ts';

export const organizationColumns: Columns<OrganizationSummary> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  color: ({ color }) => color,
  isPublic: ({ isPublic }) => isPublic,
  hasCode: ({ hasCode }) => hasCode,
  address: ({ address }) => address,
  workflows: ({ workflowCount }) => workflowCount,
  members: ({ memberCount }) => memberCount,
  sessions: ({ sessionCount }) => sessionCount,
  createdAt: ({ createdAt }) => createdAt,
};
