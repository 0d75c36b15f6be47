import type { VariableValues } from '@pdf2press/contract';
import { preferenceKey, readKey, removeKey, writeKey } from '../preferences/kept.ts';

/** A started upload, stored so that it can be resumed after a reload when the same file is chosen again. */
export interface Interrupted {
  fingerprint: string;
  name: string;
  size: number;
  workflowId: string;
  /** Whose session it becomes, where that was chosen. */
  organizationId?: string | undefined;
  variables: VariableValues;
  /** Of the upload at the server. */
  address: string;
  at: number;
}

const key = preferenceKey('uploads');
/** The server forgets unfinished uploads after a day. */
const lifeMilliseconds = 24 * 60 * 60 * 1000;

export function interruptedUploads(): Interrupted[] {
  try {
    const list = JSON.parse(readKey(key) ?? '[]') as Interrupted[];
    return Array.isArray(list) ? list.filter((one) => Date.now() - one.at < lifeMilliseconds) : [];
  } catch {
    // Not a value of ours.
    return [];
  }
}

function keep(list: readonly Interrupted[]): void {
  if (list.length > 0) writeKey(key, JSON.stringify(list));
  else removeKey(key);
}

export const rememberInterrupted = (upload: Interrupted): void =>
  keep([...interruptedUploads().filter((one) => one.fingerprint !== upload.fingerprint), upload]);
export const forgetInterrupted = (fingerprint: string): void =>
  keep(interruptedUploads().filter((one) => one.fingerprint !== fingerprint));
