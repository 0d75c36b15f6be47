import type { VariableValues } from '@pdf2press/contract';
import { create } from 'zustand';
import { type Interrupted, interruptedUploads } from './interrupted.ts';

export interface UploadItem {
  key: string;
  name: string;
  size: number;
  workflowId: string;
  variables: VariableValues;
  /** Values that a file beside it holds, as JSON. */
  sidecar: string | null;
  /** `waiting`: queued; `finishing`: all bytes were received and the session is being created. */
  state: 'waiting' | 'uploading' | 'paused' | 'finishing' | 'done' | 'failed';
  sent: number;
  /** Bytes per second, smoothed; null at first. */
  speed: number | null;
  error: unknown;
  sessionId: string | null;
}

interface Queue {
  items: readonly UploadItem[];
  /** Uploads interrupted by a reload: the browser lost the files, the server kept the received bytes. */
  interrupted: readonly Interrupted[];
}

export const useUploads = create<Queue>(() => ({ items: [], interrupted: interruptedUploads() }));

export const isUnderway = (item: UploadItem): boolean =>
  ['waiting', 'uploading', 'finishing', 'paused'].includes(item.state);
