import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { type Readable, Transform, type TransformCallback } from 'node:stream';

/** How long a file that was read and found whole counts as whole without being read again, in milliseconds. */
const trustFor = 24 * 3_600_000;
/** How many files are remembered; the one that was read longest ago is forgotten first. */
const remembered = 10_000;

/** What changes when other bytes are written; bytes that decay on the disk change nothing of it. */
const stateOf = async (file: string): Promise<string> => {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
};

/**
 * Passes bytes through and hashes them. The last piece leaves only when the hash is the one expected, so a reader that
 * waits for the end never takes other bytes for the file; else the stream fails with what `onDamage` makes.
 */
function passingOn(sha256: string, onEnd: () => void, onDamage: () => Promise<Error>): Transform {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  return new Transform({
    transform(piece: Buffer, _encoding, done: TransformCallback) {
      hash.update(piece);
      const ready = held;
      held = piece;
      done(null, ready);
    },
    flush(done: TransformCallback) {
      if (hash.digest('hex') !== sha256) {
        void onDamage().then(done, done);
        return;
      }
      onEnd();
      done(null, held);
    },
  });
}

/**
 * Whether files still hold the bytes that their names promise. Each is read in full for it once a day and process, because
 * reading it again before every use would cost as much as the use.
 */
export function openIntact() {
  const known = new Map<string, { state: string; at: number }>();
  const underWay = new Map<string, Promise<boolean>>();

  const note = (file: string, state: string): void => {
    known.delete(file);
    known.set(file, { state, at: Date.now() });
    for (const oldest of known.keys()) {
      if (known.size <= remembered) return;
      known.delete(oldest);
    }
  };
  const isKnown = (file: string, state: string): boolean => {
    const last = known.get(file);
    return last?.state === state && Date.now() - last.at < trustFor;
  };

  async function read(file: string, sha256: string): Promise<boolean> {
    const state = await stateOf(file);
    if (isKnown(file, state)) return true;
    const hash = createHash('sha256');
    for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) hash.update(piece as Buffer);
    if (hash.digest('hex') !== sha256) return false;
    note(file, state);
    return true;
  }

  return {
    /** Remembers a file that was written from bytes whose hash is its name. */
    trust: async (file: string): Promise<void> => note(file, await stateOf(file)),
    /** Whether a file's bytes have this hash. @throws ENOENT where it is missing */
    isIntact: (file: string, sha256: string): Promise<boolean> => {
      const asked = underWay.get(file);
      if (asked) return asked;
      const reading = read(file, sha256).finally(() => underWay.delete(file));
      underWay.set(file, reading);
      return reading;
    },
    /** A file's bytes, compared with the hash as they are read. @throws ENOENT where it is missing; in the stream, what `onDamage` makes */
    stream: async (file: string, sha256: string, onDamage: () => Promise<Error>): Promise<Readable> => {
      const state = await stateOf(file);
      const handle = await open(file, 'r');
      const bytes = createReadStream('', { fd: handle, autoClose: true });
      if (isKnown(file, state)) return bytes;
      const checked = passingOn(sha256, () => note(file, state), onDamage);
      bytes.on('error', (error) => checked.destroy(error));
      checked.on('close', () => bytes.destroy());
      return bytes.pipe(checked);
    },
  };
}
