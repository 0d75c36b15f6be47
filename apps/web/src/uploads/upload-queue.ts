import type { VariableValues } from '@pdf2press/contract';
import { uploadRoutes } from '@pdf2press/contract/calls';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { forgetInterrupted, rememberInterrupted } from './interrupted.ts';
import type { ResumableUpload } from './resumable-upload.ts';
import { type UploadItem, useUploads } from './upload-state.ts';

/** Number of parallel uploads; more would only share the bandwidth. */
const atOnce = 3;
/** Weight of a new sample in the smoothed speed. */
const speedWeight = 0.25;

const files = new Map<string, File>();
const running = new Map<string, ResumableUpload>();

const change = (key: string, part: Partial<UploadItem>): void =>
  useUploads.setState(({ items }) => ({
    items: items.map((item) => (item.key === key ? { ...item, ...part } : item)),
  }));
const itemOf = (key: string): UploadItem | undefined => useUploads.getState().items.find((item) => item.key === key);

const fingerprint = (file: File, workflowId: string): string =>
  [file.name, file.size, file.lastModified, workflowId].join('/');

/** Adds files to the queue and starts uploads. An interrupted upload of the same file is resumed. */
export function enqueue(
  given: readonly File[],
  workflowId: string,
  variables: VariableValues,
  sidecars: ReadonlyMap<File, string> = new Map(),
): void {
  const added = given.map((file): UploadItem => {
    const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    files.set(key, file);
    return {
      key,
      name: file.name,
      size: file.size,
      workflowId,
      variables,
      sidecar: sidecars.get(file) ?? null,
      state: 'waiting',
      sent: 0,
      speed: null,
      error: null,
      sessionId: null,
    };
  });
  useUploads.setState(({ items }) => ({ items: [...items, ...added] }));
  startNext();
}

function startNext(): void {
  const { items } = useUploads.getState();
  const free = atOnce - items.filter((item) => item.state === 'uploading' || item.state === 'finishing').length;
  for (const item of items.filter((one) => one.state === 'waiting').slice(0, Math.max(0, free))) void start(item);
}

async function start(item: UploadItem): Promise<void> {
  const file = files.get(item.key);
  if (!file) return;
  change(item.key, { state: 'uploading', error: null });
  const { openUpload } = await import('./resumable-upload.ts');
  const mark = fingerprint(file, item.workflowId);
  const before = useUploads.getState().interrupted.find((one) => one.fingerprint === mark);
  let last = { at: performance.now(), sent: 0 };
  const upload = openUpload(file, {
    workflowId: item.workflowId,
    variables: item.variables,
    sidecar: item.sidecar,
    address: before?.address ?? null,
    onAddress: (address) => {
      rememberInterrupted({
        fingerprint: mark,
        name: item.name,
        size: item.size,
        workflowId: item.workflowId,
        variables: item.variables,
        address,
        at: Date.now(),
      });
      useUploads.setState(({ interrupted }) => ({
        interrupted: interrupted.filter((one) => one.fingerprint !== mark),
      }));
    },
    onProgress: (sent) => {
      const now = performance.now();
      const seconds = (now - last.at) / 1000;
      if (seconds < 0.3 && sent < item.size) return;
      const speed = last.sent === 0 ? null : Math.max(0, (sent - last.sent) / Math.max(0.001, seconds));
      const shown = itemOf(item.key)?.speed ?? speed;
      change(item.key, {
        sent,
        state: sent >= item.size ? 'finishing' : 'uploading',
        speed: speed === null || shown === null ? speed : shown * (1 - speedWeight) + speed * speedWeight,
      });
      last = { at: now, sent };
    },
    onFailure: (error) => {
      running.delete(item.key);
      change(item.key, { state: 'failed', error });
      startNext();
    },
    onDone: (address) => void finish(item.key, mark, address),
  });
  running.set(item.key, upload);
  upload.start();
}

async function finish(key: string, mark: string, address: string): Promise<void> {
  running.delete(key);
  files.delete(key);
  forgetInterrupted(mark);
  const id = decodeURIComponent(address.split('/').at(-1) ?? '');
  try {
    const { sessionId } = await call(uploadRoutes.get, { params: { id } });
    change(key, { state: 'done', sent: itemOf(key)?.size ?? 0, sessionId });
  } catch (error) {
    // The upload succeeded, but the answer did not name its session.
    change(
      key,
      error instanceof CallError && error.kind === 'signedOut' ? { state: 'failed', error } : { state: 'done' },
    );
  }
  startNext();
}

export function pauseUpload(key: string): void {
  running.get(key)?.pause();
  change(key, { state: 'paused', speed: null });
  startNext();
}

/** Resumes after a pause or retries after a failure. */
export function resumeUpload(key: string): void {
  const upload = running.get(key);
  if (upload) {
    change(key, { state: 'uploading', error: null });
    upload.start();
  } else {
    change(key, { state: 'waiting', error: null });
    startNext();
  }
}

export function cancelUpload(key: string): void {
  const file = files.get(key);
  const item = itemOf(key);
  running.get(key)?.giveUp();
  running.delete(key);
  files.delete(key);
  if (file && item) forgetInterrupted(fingerprint(file, item.workflowId));
  useUploads.setState(({ items }) => ({ items: items.filter((one) => one.key !== key) }));
  startNext();
}

export const clearFinished = (): void =>
  useUploads.setState(({ items }) => ({ items: items.filter((item) => item.state !== 'done') }));

export function forget(mark: string): void {
  forgetInterrupted(mark);
  useUploads.setState(({ interrupted }) => ({ interrupted: interrupted.filter((one) => one.fingerprint !== mark) }));
}
