import type { VariableValues } from '@pdf2press/contract';
import { create } from 'zustand';
import { type Interrupted, interruptedUploads } from './interrupted.ts';

export interface UploadItem {
  key: string;
  name: string;
  size: number;
  workflowId: string;
  variables: VariableValues;
  /** `waiting` for its turn; `finishing`: all bytes are there and the session is being made. */
  state: 'waiting' | 'uploading' | 'paused' | 'finishing' | 'done' | 'failed';
  sent: number;
  /** Bytes per second, smoothed; null before it is known. */
  speed: number | null;
  error: unknown;
  sessionId: string | null;
}

interface Queue {
  items: readonly UploadItem[];
  /** Broken off by a reload: the browser forgot the files, the server kept the bytes. */
  interrupted: readonly Interrupted[];
}

export const useUploads = create<Queue>(() => ({ items: [], interrupted: interruptedUploads() }));

export const isUnderway = (item: UploadItem): boolean =>
  ['waiting', 'uploading', 'finishing', 'paused'].includes(item.state);
