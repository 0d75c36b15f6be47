import type { VariableValues } from '@pdf2press/contract';
import { create } from 'zustand';
import { type Interrupted, interruptedUploads } from './interrupted.ts';
import type { QueueItem } from './make-queue.ts';

export interface UploadItem extends QueueItem {
  workflowId: string;
  variables: VariableValues;
  /** Values that a file beside it holds, as JSON. */
  sidecar: string | null;
  sessionId: string | null;
}

interface Uploads {
  items: readonly UploadItem[];
  /** Uploads interrupted by a reload: the browser lost the files, the server kept the received bytes. */
  interrupted: readonly Interrupted[];
}

export const useUploads = create<Uploads>(() => ({ items: [], interrupted: interruptedUploads() }));
