import type { RouteResult, VariableValues } from '@pdf2press/contract';
import type { arrivalRoutes } from '@pdf2press/contract/calls';
import { create } from 'zustand';
import { type Interrupted, interruptedUploads } from './interrupted.ts';
import type { QueueItem } from './make-queue.ts';

export interface UploadItem extends QueueItem {
  workflowId: string;
  /** Whose session it becomes, where the workflow does not decide that. */
  organizationId: string | undefined;
  variables: VariableValues;
  /** Values that a file beside it holds, as JSON. */
  sidecar: string | null;
  sessionId: string | null;
}

export type Arrived = RouteResult<typeof arrivalRoutes.get>;

/** A file that the server fetches from its address. */
export interface Fetch {
  arrivalId: string;
  address: string;
  /** What became of it until now; null = not asked yet. */
  arrived: Arrived | null;
}

interface Uploads {
  items: readonly UploadItem[];
  /** Uploads interrupted by a reload: the browser lost the files, the server kept the received bytes. */
  interrupted: readonly Interrupted[];
  fetches: readonly Fetch[];
}

export const useUploads = create<Uploads>(() => ({ items: [], interrupted: interruptedUploads(), fetches: [] }));
