import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { DeliveryFaultError } from '@pdf2press/contract';
import type { Parcel, Placing } from './delivery.ts';

/** Folders with names, of this machine or of a server. Paths are those of the place; all errors are DeliveryFaultError. */
export interface Shelf {
  /** Opens a folder below that of the target, and makes it where it is missing; resolves to its path. */
  openFolder(names: readonly string[]): Promise<string>;
  join(folder: string, name: string): string;
  exists(path: string): Promise<boolean>;
  /** Writes a new file of `size` bytes whole; they are durable when it resolves, as far as the place allows. */
  write(path: string, bytes: Readable, size: number): Promise<void>;
  read(path: string): Promise<Readable>;
  sizeOf(path: string): Promise<number>;
  /** Gives a file its name unless another file has it; resolves to whether it was free. */
  rename(from: string, to: string): Promise<boolean>;
  /** Gives a file its name; the file that had it is gone. */
  replace(from: string, to: string): Promise<void>;
  /** A file that is not there counts as removed. */
  remove(path: string): Promise<void>;
}

const mostNumbers = 1_000;

const hashOf = async (bytes: Readable, signal: AbortSignal): Promise<string> => {
  const hash = createHash('sha256');
  for await (const part of bytes) {
    signal.throwIfAborted();
    hash.update(part as Buffer);
  }
  return hash.digest('hex');
};

/** Compares what lies there with what was sent. @throws DeliveryFaultError `delivery.damaged` */
async function compare(
  shelf: Shelf,
  path: string,
  { size, sha256 }: { size: number; sha256: string },
  { readsBack, signal }: { readsBack: boolean; signal: AbortSignal },
): Promise<void> {
  const isWhole = (await shelf.sizeOf(path)) === size;
  if (isWhole && (!readsBack || (await hashOf(await shelf.read(path), signal)) === sha256)) return;
  throw new DeliveryFaultError('delivery.damaged');
}

/** `name`, `name (2)`, `name (3)` … */
export function numbered(name: string, no: number): string {
  if (no === 1) return name;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  return `${name.slice(0, name.length - extension.length)} (${no})${extension}`;
}

/** Hidden from whoever looks for new files there. */
const temporaryName = (key: string, tryNo: number): string =>
  `.${createHash('sha256').update(key).digest('hex').slice(0, 20)}-${tryNo}.part`;

/** Whether an error tells what became of a step, so that nothing is left open. */
const isKnown = (error: unknown): error is DeliveryFaultError =>
  error instanceof DeliveryFaultError && error.code !== 'delivery.unreachable';

async function writeTemporary(
  shelf: Shelf,
  folder: string,
  { file, key, tryNo }: Parcel,
  checks: { readsBack: boolean; signal: AbortSignal },
): Promise<string> {
  // What earlier tries left half written. More than a few in a row never got as far as writing.
  for (let earlier = Math.max(1, tryNo - 5); earlier <= tryNo; earlier += 1)
    await shelf.remove(shelf.join(folder, temporaryName(key, earlier)));
  const temporary = temporaryName(key, tryNo);
  const path = shelf.join(folder, temporary);
  const bytes = createReadStream(file.path, { highWaterMark: 256 * 1024, signal: checks.signal });
  try {
    await shelf.write(path, bytes, file.size);
    await compare(shelf, path, file, checks);
  } catch (error) {
    await shelf.remove(path).catch(() => undefined);
    throw error;
  }
  return temporary;
}

/**
 * Puts a file into a folder: written and compared under a temporary name first, then given its own, so that nobody finds
 * half a file and no crash leaves two. Which name it gets is kept before it is given: a later try that does not find the
 * temporary file knows that it has been given, even if the file was fetched from there by then.
 * @returns the path of the file
 * @throws DeliveryFaultError
 */
export async function placeFile(
  shelf: Shelf,
  parcel: Parcel,
  checks: { readsBack: boolean; signal: AbortSignal },
): Promise<string> {
  const { name, collision, keep } = parcel;
  const folder = await shelf.openFolder(parcel.folder);
  const at = (file: string) => shelf.join(folder, file);
  let { placing } = parcel;
  if (placing && !(await shelf.exists(at(placing.temporary)))) return at(placing.name);
  const temporary = placing?.temporary ?? (await writeTemporary(shelf, folder, parcel, checks));

  const place = async (next: Placing): Promise<boolean> => {
    if (placing?.name !== next.name) await keep(next);
    placing = next;
    checks.signal.throwIfAborted();
    if (collision !== 'replace') return shelf.rename(at(temporary), at(next.name));
    await shelf.replace(at(temporary), at(next.name));
    return true;
  };
  try {
    if (placing && (await place(placing))) return at(placing.name);
    const most = collision === 'number' ? mostNumbers : 1;
    for (let no = 1; no <= most; no += 1) {
      const next = { temporary, name: numbered(name, no) };
      if (collision !== 'replace' && (await shelf.exists(at(next.name)))) continue;
      if (await place(next)) return at(next.name);
    }
    throw new DeliveryFaultError('delivery.nameTaken', { name });
  } catch (error) {
    if (isKnown(error)) {
      // In this order: without the note, a temporary file that is missing would mean that all is done.
      await keep(null);
      await shelf.remove(at(temporary)).catch(() => undefined);
    }
    throw error;
  }
}

/** The stages of a trial that write: a small file is written, read back and removed. @throws DeliveryFaultError */
export async function tryShelf(
  shelf: Shelf,
  { reach, signal }: { reach(stage: 'write' | 'readBack' | 'remove'): void; signal: AbortSignal },
): Promise<void> {
  reach('write');
  const bytes = randomBytes(64);
  const name = `.pdf2press-${randomBytes(6).toString('hex')}`;
  const folder = await shelf.openFolder([]);
  const [first, second] = [shelf.join(folder, `${name}.part`), shelf.join(folder, `${name}.test`)];
  try {
    await shelf.write(first, Readable.from([bytes]), bytes.length);
    if (!(await shelf.rename(first, second))) throw new DeliveryFaultError('delivery.nameTaken', { name });
    reach('readBack');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await compare(shelf, second, { size: bytes.length, sha256 }, { readsBack: true, signal });
    reach('remove');
  } finally {
    await shelf.remove(first);
    await shelf.remove(second);
  }
}
