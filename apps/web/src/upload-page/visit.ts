import { cleanFileName, fileTypeOf, type UploadPage, type UploadReceipt } from '@pdf2press/contract';
import { uploadPageRoutes as routes } from '@pdf2press/contract/calls';
import { create } from 'zustand';
import { passCaptcha } from '../account/captcha.ts';
import { pathOf } from '../client/address.ts';
import { call } from '../client/call.ts';
import { CallError } from '../client/call-error.ts';
import { isUnderway, makeQueue, type QueueItem, waitingItem } from '../uploads/make-queue.ts';
import { forgetVisit, keepVisit, keptVisit } from './kept-visit.ts';
import { type Preview, previewOf } from './preview.ts';

export interface PageItem extends QueueItem {
  /** Of the upload at the server, once it was begun. */
  uploadId: string | null;
  preview: Preview | null;
  /** `again`: the browser has lost the file by a reload; chosen again, it goes on. `never`: it cannot be taken. */
  needs: 'again' | 'never' | null;
  /** A code of the sentences: why it cannot be taken. */
  fault: { code: string; params?: Record<string, string | number> } | null;
}

interface Visiting {
  slug: string;
  code: string;
  /** The secret of the visit; null before the first file. */
  visit: string | null;
  items: readonly PageItem[];
  receipt: UploadReceipt | null;
  /** The visit ended before its files were sent. */
  hasEnded: boolean;
}

const nothing = { visit: null, items: [], receipt: null, hasEnded: false } as const;
export const useVisit = create<Visiting>(() => ({ slug: '', code: '', ...nothing }));

const change = (key: string, part: Partial<PageItem>): void =>
  useVisit.setState(({ items }) => ({ items: items.map((item) => (item.key === key ? { ...item, ...part } : item)) }));

/** The visit, begun by the first file: whoever only looks leaves nothing behind. */
let beginning: Promise<string> | undefined;
async function ownVisit(): Promise<string> {
  const { visit, slug, code } = useVisit.getState();
  if (visit) return visit;
  beginning ??= passCaptcha('upload')
    .then((captcha) => call(routes.visit, { params: { slug }, body: { code, ...(captcha && { captcha }) } }))
    .then((begun) => {
      useVisit.setState({ visit: begun.visit });
      keepVisit({ slug, code, visit: begun.visit });
      return begun.visit;
    })
    .finally(() => {
      beginning = undefined;
    });
  return beginning;
}

const addressOf = (visit: string, id: string): string => pathOf(routes.append, { visit, id });

const queue = makeQueue<PageItem>({
  read: () => useVisit.getState().items,
  write: (items) => useVisit.setState({ items }),
  targetOf: async ({ uploadId }) => {
    const visit = await ownVisit();
    return {
      endpoint: pathOf(routes.create, { visit }),
      address: uploadId && addressOf(visit, uploadId),
      metadata: {},
      isPublic: true,
    };
  },
  onAddress: ({ key }, _file, address) => change(key, { uploadId: address.split('/').at(-1) ?? null }),
  onDone: async () => ({}),
  onCancel: () => undefined,
});
export const { pause, resume } = queue;

/** Whether a file has arrived whole. */
export const isReady = ({ state, needs }: PageItem): boolean => state === 'done' && needs === null;
/** Whether it will be ready without anybody's doing. */
export const isComing = (item: PageItem): boolean => isUnderway(item) && item.state !== 'paused';

/** Why a page takes a file for none of its workflows. */
function faultOf(file: File, page: UploadPage, count: number): PageItem['fault'] {
  if (count >= page.maxFiles) return { code: 'upload.tooMany', params: { limit: page.maxFiles } };
  if (file.size === 0) return { code: 'file.empty' };
  if (file.size > page.maxBytes) return { code: 'file.tooLarge', params: { limit: page.maxBytes } };
  const types = [...new Set(page.workflows.flatMap((workflow) => workflow.types))];
  const type = fileTypeOf(file.name);
  return type && types.includes(type) ? null : { code: 'file.typeNotAccepted', params: { types: types.join(', ') } };
}

const fresh = { uploadId: null, preview: null, needs: null, fault: null } as const;

/** Adds files and starts their uploads; one that a reload interrupted goes on. */
export function addFiles(given: readonly File[], page: UploadPage): void {
  useVisit.setState({ hasEnded: false });
  for (const file of given) {
    const { items } = useVisit.getState();
    const name = cleanFileName(file.name);
    const before = items.find((item) => item.needs === 'again' && item.name === name && item.size === file.size);
    if (before) useVisit.setState({ items: items.filter((item) => item !== before) });
    const counted = items.filter(({ needs }) => needs !== 'never').length;
    const fault = before ? null : faultOf(file, page, counted);
    const item: PageItem = { ...waitingItem(file), ...fresh, uploadId: before?.uploadId ?? null, fault };
    if (fault) {
      useVisit.setState({ items: [...items, { ...item, state: 'failed', needs: 'never' }] });
      continue;
    }
    queue.add([[item, file]]);
    void previewOf(file).then((preview) => change(item.key, { preview }));
  }
}

/** Takes a file out of the list, and its bytes from the server. */
export function removeFile({ key, uploadId, preview, state, needs }: PageItem): void {
  const { visit } = useVisit.getState();
  queue.cancel(key);
  if (preview?.picture) URL.revokeObjectURL(preview.picture);
  // What is on its way the queue takes from the server itself; of what a reload has interrupted it knows nothing.
  const isQueued = needs === null && ['uploading', 'offline', 'paused'].includes(state);
  if (!visit || !uploadId || isQueued) return;
  // If this call fails, the server deletes the upload with the visit.
  void import('../uploads/resumable-upload.ts').then(({ giveUp }) => giveUp(addressOf(visit, uploadId)));
}

/** Begins anew, with an empty list. */
export function leaveVisit(hasEnded = false): void {
  for (const { preview } of useVisit.getState().items) if (preview?.picture) URL.revokeObjectURL(preview.picture);
  forgetVisit(useVisit.getState().slug);
  useVisit.setState({ ...nothing, hasEnded });
}

/** Whether an answer says that the visit is over. */
export const isOver = (error: unknown): boolean =>
  error instanceof CallError && error.status === 404 && error.has('resource.notFound');

/** Comes to a page, with what an earlier visit of this tab left there. */
export async function comeTo(slug: string, code: string): Promise<void> {
  if (useVisit.getState().slug === slug && useVisit.getState().code === code) return;
  const kept = keptVisit(slug);
  useVisit.setState({ ...nothing, slug, code, visit: kept?.visit ?? null });
  if (!kept) return;
  try {
    const { files, receipt } = await call(routes.get, { params: { visit: kept.visit } });
    const items = files.map(({ id, name, size, offset }): PageItem => {
      const isWhole = offset === size;
      const item = { ...waitingItem({ name, size }), ...fresh, uploadId: id, sent: offset };
      return { ...item, state: isWhole ? 'done' : 'paused', needs: isWhole ? null : 'again' };
    });
    useVisit.setState(({ items: added }) => ({ items: [...items, ...added], receipt }));
  } catch (error) {
    if (isOver(error)) leaveVisit();
  }
}
