import { CallError } from '../client/call-error.ts';
import type { ResumableUpload, Target } from './resumable-upload.ts';

/** A file on its way to the server. */
export interface QueueItem {
  key: string;
  name: string;
  size: number;
  /**
   * `waiting`: queued; `held`: the server takes no more files at the moment, and is asked again by itself; `offline`: goes on by
   * itself once the network is back; `finishing`: all bytes were sent and the last answer is awaited.
   */
  state: 'waiting' | 'uploading' | 'held' | 'offline' | 'paused' | 'finishing' | 'done' | 'failed';
  sent: number;
  /** Bytes per second, smoothed; null at first. */
  speed: number | null;
  error: unknown;
}

export const isUnderway = ({ state }: QueueItem): boolean =>
  ['waiting', 'uploading', 'held', 'offline', 'finishing', 'paused'].includes(state);

const needsNetwork = ({ state, error }: QueueItem): boolean =>
  ['waiting', 'uploading', 'held', 'finishing'].includes(state) ||
  (state === 'failed' && error instanceof CallError && error.kind === 'network');

/** Seconds after which the server is asked again for a file that it does not take now; null = it does not say, or long. */
const turnOf = ({ status, retryAfterSeconds }: CallError): number | null =>
  (status === 423 || status === 429) && retryAfterSeconds !== null && retryAfterSeconds <= longestTurn
    ? Math.max(1, retryAfterSeconds)
    : null;
/** Who is to wait for longer is told so. */
const longestTurn = 60;

/** The beginning of a file's way. */
export const waitingItem = ({ name, size }: Pick<File, 'name' | 'size'>): QueueItem => ({
  // Not every address that the page may have offers `randomUUID`, which needs a secure connection.
  key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`,
  name,
  size,
  state: 'waiting',
  sent: 0,
  speed: null,
  error: null,
});

interface Surroundings<Item extends QueueItem> {
  read: () => readonly Item[];
  write: (items: readonly Item[]) => void;
  /** Asked each time that an upload starts. A throw fails the item. */
  targetOf: (item: Item, file: File) => Target | Promise<Target>;
  /** The server has taken the upload in; it can be resumed at this address. */
  onAddress: (item: Item, file: File, address: string) => void;
  /** All bytes were taken. Answers what is known of the item then. */
  onDone: (item: Item, file: File, address: string) => Promise<Partial<Item>>;
  onCancel: (item: Item, file: File) => void;
}

/** Number of parallel uploads; more would only share the bandwidth. */
const atOnce = 3;
/** Weight of a new sample in the smoothed speed. */
const speedWeight = 0.25;

export interface Queue<Item extends QueueItem> {
  add: (files: readonly (readonly [Item, File])[]) => void;
  pause: (key: string) => void;
  /** Resumes after a pause or retries after a failure. */
  resume: (key: string) => void;
  cancel: (key: string) => void;
}

/**
 * Uploads files, some at a time, with their progress in a store. While the browser has no network nothing is tried, and
 * nothing fails: what was on its way goes on where it was once the network is back.
 */
export function makeQueue<Item extends QueueItem>(given: Surroundings<Item>): Queue<Item> {
  const files = new Map<string, File>();
  const running = new Map<string, ResumableUpload>();
  /** The start of each item that counts: what an earlier one still waits for comes too late. */
  const starts = new Map<string, object>();
  /**
   * Whether the network was lost and has not come back. Only the change tells: a browser on a machine without any network
   * says that it is offline from the beginning, and reaches a server there all the same.
   */
  let isCut = false;
  const change = (key: string, part: Partial<QueueItem> | Partial<Item>): void =>
    given.write(given.read().map((item) => (item.key === key ? { ...item, ...part } : item)));
  const itemOf = (key: string): Item | undefined => given.read().find((item) => item.key === key);

  function startNext(): void {
    if (isCut) {
      holdAll();
      return;
    }
    const items = given.read();
    // Whatever is next would be told to wait as well.
    if (items.some(({ state }) => state === 'held')) return;
    const free = atOnce - items.filter(({ state }) => state === 'uploading' || state === 'finishing').length;
    for (const item of items.filter(({ state }) => state === 'waiting').slice(0, Math.max(0, free))) void start(item);
  }

  /** Stops whatever needs the network, and what has failed for want of it, for as long as there is none. */
  function holdAll(): void {
    isCut = true;
    for (const item of given.read().filter(needsNetwork)) {
      running.get(item.key)?.pause();
      starts.delete(item.key);
      change(item.key, { state: 'offline', speed: null });
    }
  }

  function goOn(): void {
    isCut = false;
    for (const { key, state } of given.read()) if (state === 'offline') change(key, { state: 'waiting' });
    startNext();
  }
  window.addEventListener('offline', holdAll);
  window.addEventListener('online', goOn);

  function fail(key: string, error: unknown): void {
    running.delete(key);
    const seconds = error instanceof CallError && error.status !== 0 ? turnOf(error) : null;
    if (seconds === null) change(key, { state: 'failed', error });
    else hold(key, seconds);
    startNext();
  }

  /** Asks again when the server has said so; what goes on meanwhile is left alone. */
  function hold(key: string, seconds: number): void {
    change(key, { state: 'held', speed: null });
    setTimeout(() => {
      if (itemOf(key)?.state !== 'held') return;
      change(key, { state: 'waiting' });
      startNext();
    }, seconds * 1000);
  }

  async function start(item: Item): Promise<void> {
    const { key, size } = item;
    const file = files.get(key);
    if (!file) return;
    change(key, { state: 'uploading', error: null });
    const held = running.get(key);
    if (held) return held.start();
    const mine = {};
    starts.set(key, mine);
    try {
      const [target, { openUpload }] = await Promise.all([given.targetOf(item, file), import('./resumable-upload.ts')]);
      // Cancelled, paused or begun anew meanwhile.
      if (itemOf(key)?.state !== 'uploading' || starts.get(key) !== mine) return;
      let last = { at: performance.now(), sent: 0 };
      const upload = openUpload(file, {
        ...target,
        onAddress: (address) => given.onAddress(item, file, address),
        onProgress: (sent) => {
          const now = performance.now();
          const seconds = (now - last.at) / 1000;
          if (seconds < 0.3 && sent < size) return;
          const speed = last.sent === 0 ? null : Math.max(0, (sent - last.sent) / Math.max(0.001, seconds));
          const shown = itemOf(key)?.speed ?? speed;
          change(key, {
            sent,
            state: sent >= size ? 'finishing' : 'uploading',
            speed: speed === null || shown === null ? speed : shown * (1 - speedWeight) + speed * speedWeight,
          });
          last = { at: now, sent };
        },
        onFailure: (error: CallError) => fail(key, error),
        onDone: (address) => void finish(item, file, address),
      });
      running.set(key, upload);
      upload.start();
    } catch (error) {
      if (starts.get(key) === mine) fail(key, error);
    }
  }

  async function finish(item: Item, file: File, address: string): Promise<void> {
    running.delete(item.key);
    starts.delete(item.key);
    files.delete(item.key);
    change(item.key, { sent: item.size, state: 'done', ...(await given.onDone(item, file, address)) });
    startNext();
  }

  return {
    add: (more) => {
      for (const [{ key }, file] of more) files.set(key, file);
      given.write([...given.read(), ...more.map(([item]) => item)]);
      startNext();
    },
    pause: (key) => {
      running.get(key)?.pause();
      change(key, { state: 'paused', speed: null });
      startNext();
    },
    resume: (key) => {
      const upload = running.get(key);
      const isAtOnce = upload !== undefined && !isCut;
      change(key, { state: isAtOnce ? 'uploading' : 'waiting', error: null });
      if (isAtOnce) upload.start();
      else startNext();
    },
    cancel: (key) => {
      const file = files.get(key);
      const item = itemOf(key);
      running.get(key)?.giveUp();
      running.delete(key);
      starts.delete(key);
      files.delete(key);
      if (file && item) given.onCancel(item, file);
      given.write(given.read().filter((one) => one.key !== key));
      startNext();
    },
  };
}
