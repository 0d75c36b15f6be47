import type { VariableValues } from '@pdf2press/contract';
import { uploadRoutes } from '@pdf2press/contract/calls';
import { pathOf } from '../client/address.ts';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { forgetInterrupted, rememberInterrupted } from './interrupted.ts';
import { makeQueue, waitingItem } from './make-queue.ts';
import { type UploadItem, useUploads } from './upload-state.ts';

const fingerprint = (file: File, { workflowId }: Pick<UploadItem, 'workflowId'>): string =>
  [file.name, file.size, file.lastModified, workflowId].join('/');

const withoutInterrupted = (mark: string): void =>
  useUploads.setState(({ interrupted }) => ({ interrupted: interrupted.filter((one) => one.fingerprint !== mark) }));

/** The session of a finished upload. */
async function sessionOf(address: string): Promise<Partial<UploadItem>> {
  const id = decodeURIComponent(address.split('/').at(-1) ?? '');
  try {
    const { sessionId } = await call(uploadRoutes.get, { params: { id } });
    return { sessionId };
  } catch (error) {
    // The upload succeeded, but the answer did not name its session.
    return error instanceof CallError && error.kind === 'signedOut' ? { state: 'failed', error } : {};
  }
}

const queue = makeQueue<UploadItem>({
  read: () => useUploads.getState().items,
  write: (items) => useUploads.setState({ items }),
  targetOf: (item, file) => {
    const mark = fingerprint(file, item);
    const before = useUploads.getState().interrupted.find((one) => one.fingerprint === mark);
    return {
      endpoint: pathOf(uploadRoutes.create),
      address: before?.address ?? null,
      metadata: {
        workflowId: item.workflowId,
        variables: JSON.stringify(item.variables),
        ...(item.organizationId !== undefined && { organizationId: item.organizationId }),
        ...(item.sidecar !== null && { sidecar: item.sidecar }),
      },
    };
  },
  onAddress: ({ name, size, workflowId, organizationId, variables }, file, address) => {
    const mark = fingerprint(file, { workflowId });
    const at = Date.now();
    rememberInterrupted({ fingerprint: mark, name, size, workflowId, organizationId, variables, address, at });
    withoutInterrupted(mark);
  },
  onDone: (item, file, address) => {
    forgetInterrupted(fingerprint(file, item));
    return sessionOf(address);
  },
  onCancel: (item, file) => forgetInterrupted(fingerprint(file, item)),
});

export const { pause: pauseUpload, resume: resumeUpload, cancel: cancelUpload } = queue;

/** What files are handed in for. */
export interface HandIn extends Pick<UploadItem, 'workflowId' | 'organizationId'> {
  variables: VariableValues;
}

/** Adds files to the queue and starts uploads. An interrupted upload of the same file is resumed. */
export function enqueue(given: readonly File[], handIn: HandIn, sidecars: ReadonlyMap<File, string> = new Map()): void {
  queue.add(
    given.map((file) => [
      { ...waitingItem(file), ...handIn, sidecar: sidecars.get(file) ?? null, sessionId: null },
      file,
    ]),
  );
}

export const clearFinished = (): void =>
  useUploads.setState(({ items }) => ({ items: items.filter((item) => item.state !== 'done') }));

export function forget(mark: string): void {
  forgetInterrupted(mark);
  withoutInterrupted(mark);
}
