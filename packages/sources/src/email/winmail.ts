/*
 * The files in a `winmail.dat`, which Outlook and Exchange make of a mail: the Transport Neutral Encapsulation Format
 * [MS-OXTNEF]. There is one npm package for it, node-tnef: it takes a file whole in memory, and needs libraries that nobody keeps
 * up (bunyan 1, yargs 15). Nothing is decoded here but names; the bytes of a file are a stretch of the stream. It is read forward,
 * a few kilobytes are held, and what is read of each mail is bounded.
 */

/** A file in a `winmail.dat`, or in a mail within it. */
export interface PackedFile {
  /** Where it lies, counted from 1: `2`, or `2.1` for the first file of the mail that is the second attachment. */
  path: string;
  /** As the mail says it; empty where it does not. */
  name: string;
  /** Empty where the mail does not say it. */
  mediaType: string;
  /** The bytes of the file in the stream. */
  offset: number;
  bytes: number;
  /** A picture that is shown within the text. */
  isPartOfText: boolean;
}

/** Deeper mails and later files are not looked at: no mail that people write has them. */
const mostDepth = 20;
const mostFiles = 200;
/** Attributes, properties and values that are read: each takes time, however short it is. */
const mostPieces = 100_000;
/** Longer names are none. */
const mostNameBytes = 2_048;

/** The stream breaks a rule of its format, or ends too early. */
class DamagedError extends Error {}

/** Every stream begins so. */
const signature = 0x223e9f78;

/** Attributes, with their types in the upper half. */
const attributes = {
  codePage: 0x0006_9007,
  beginsFile: 0x0006_9002,
  title: 0x0001_8010,
  data: 0x0006_800f,
  properties: 0x0006_9005,
} as const;

/** Properties of an attachment [MS-OXPROPS]. */
const properties = {
  displayName: 0x3001,
  data: 0x3701,
  fileName: 0x3704,
  method: 0x3705,
  longFileName: 0x3707,
  mediaType: 0x370e,
  contentId: 0x3712,
  flags: 0x3714,
  isHidden: 0x7ffe,
} as const;

/** Types of properties: object, text in the mail's code page, text in Unicode, bytes. */
const types = { object: 0x000d, text: 0x001e, unicode: 0x001f, bytes: 0x0102, several: 0x1000 } as const;
const variableTypes: ReadonlySet<number> = new Set([types.object, types.text, types.unicode, types.bytes]);

/** Bytes of a value of each type of fixed length; short ones are filled up to four. */
const fixedBytes: ReadonlyMap<number, number> = new Map([
  [0x0002, 4],
  [0x0003, 4],
  [0x0004, 4],
  [0x0005, 8],
  [0x0006, 8],
  [0x0007, 8],
  [0x000a, 4],
  [0x000b, 4],
  [0x0014, 8],
  [0x0040, 8],
  [0x0048, 16],
]);

/** The interface of an object that is a mail (IID_IMessage). */
const mailInterface = '0703020000000000c000000000000046';

/** How an attachment says that another program draws it (OLE): as its method, and as its kind. */
const drawnMethod = 6;
const drawnKind = 2;
/** The flag of a picture that the text of the mail shows (ATT_MHTML_REF). */
const shownInText = 4;

/** Names of encodings by their code pages, as far as they are known here. */
const encodings: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  20866: 'koi8-r',
  65001: 'utf-8',
};
const encodingOf = (codePage: number): string =>
  encodings[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : 'windows-1252');

/** Bytes that are read forward. All of it throws DamagedError at the end of what may be read. */
interface Reader {
  /** Bytes that were read so far. */
  at(): number;
  /** Their sum. */
  sum(): number;
  isAtEnd(): Promise<boolean>;
  take(length: number): Promise<Buffer>;
  skip(length: number): Promise<void>;
}

function readerOf(pieces: AsyncIterator<Uint8Array>): Reader {
  let piece: Uint8Array = new Uint8Array(0);
  let at = 0;
  let sum = 0;
  const isAtEnd = async () => {
    while (piece.length === 0) {
      const next = await pieces.next();
      if (next.done) return true;
      piece = next.value;
    }
    return false;
  };
  const pass = async (length: number, use: (part: Uint8Array) => void) => {
    for (let left = length; left > 0; ) {
      if (await isAtEnd()) throw new DamagedError();
      const part = piece.subarray(0, left);
      for (const byte of part) sum += byte;
      use(part);
      piece = piece.subarray(part.length);
      at += part.length;
      left -= part.length;
    }
  };
  return {
    at: () => at,
    sum: () => sum,
    isAtEnd,
    take: async (length) => {
      const parts: Uint8Array[] = [];
      await pass(length, (part) => parts.push(part));
      return Buffer.concat(parts);
    },
    skip: (length) => pass(length, () => undefined),
  };
}

/** The next bytes alone. */
function boundedTo(reader: Reader, length: number): Reader & { rest(): number } {
  const end = reader.at() + length;
  const within = (more: number) => {
    if (reader.at() + more > end) throw new DamagedError();
  };
  return {
    ...reader,
    rest: () => end - reader.at(),
    isAtEnd: async () => reader.at() >= end,
    take: async (more) => {
      within(more);
      return reader.take(more);
    },
    skip: async (more) => {
      within(more);
      await reader.skip(more);
    },
  };
}

/** What is known of one attachment while its attributes are read. */
interface Draft {
  path: string;
  isDrawn: boolean;
  isMail: boolean;
  /** The attribute that was read last is the one after which nothing about it is missing. */
  isDescribed: boolean;
  place: { offset: number; bytes: number };
  texts: Map<number, string>;
  numbers: Map<number, number>;
}

interface Scan {
  files: PackedFile[];
  pieces: number;
}

const count = (scan: Scan): void => {
  scan.pieces += 1;
  if (scan.pieces > mostPieces) throw new DamagedError();
};

const takeNumber = async (reader: Reader): Promise<number> => (await reader.take(4)).readUInt32LE();
const padding = (length: number): number => (4 - (length % 4)) % 4;

const textOf = (bytes: Buffer, encoding: string): string => {
  const [text = ''] = new TextDecoder(encoding).decode(bytes).split('\0');
  return text;
};

const isPicture = (name: string, mediaType: string): boolean =>
  mediaType === '' ? /\.(png|jpe?g|jfif|gif|bmp|tiff?)$/i.test(name) : mediaType.toLowerCase().startsWith('image/');

/** The file of an attachment that is one. */
function fileOf({ path, place, texts, numbers }: Draft): PackedFile {
  const { longFileName, fileName, displayName } = properties;
  const name = [longFileName, fileName, attributes.title, displayName].map((id) => texts.get(id)).find(Boolean) ?? '';
  const mediaType = texts.get(properties.mediaType) ?? '';
  const isHidden = ((numbers.get(properties.isHidden) ?? 0) & 0xffff) !== 0;
  const isNamed =
    Boolean(texts.get(properties.contentId)) && ((numbers.get(properties.flags) ?? 0) & shownInText) !== 0;
  return { path, name, mediaType, ...place, isPartOfText: (isHidden || isNamed) && isPicture(name, mediaType) };
}

interface Within {
  path: string;
  depth: number;
  encoding: string;
}

/** Reads one value whose length is told before it. */
async function readVariable(
  scan: Scan,
  reader: Reader,
  { id, type, draft, within }: { id: number; type: number; draft: Draft; within: Within },
): Promise<void> {
  const length = await takeNumber(reader);
  const value = boundedTo(reader, length);
  if (type === types.object && length >= 16) {
    if ((await value.take(16)).toString('hex') === mailInterface) {
      draft.isMail = true;
      if (within.depth < mostDepth)
        await readMail(scan, value, { path: `${draft.path}.`, depth: within.depth + 1, encoding: within.encoding });
    } else {
      draft.isDrawn = true;
    }
  } else if (id === properties.data) {
    draft.place = { offset: reader.at(), bytes: length };
  } else if ((type === types.text || type === types.unicode) && length <= mostNameBytes) {
    draft.texts.set(id, textOf(await value.take(length), type === types.unicode ? 'utf-16le' : within.encoding));
  }
  await value.skip(value.rest());
  await reader.skip(padding(length));
}

/** Names that a writer gave properties itself are passed over. */
async function skipName(reader: Reader): Promise<void> {
  await reader.skip(16);
  const isText = (await takeNumber(reader)) !== 0;
  const length = await takeNumber(reader);
  if (isText) await reader.skip(length + padding(length));
}

/** Reads the properties of an attachment, up to the first of a type that is not known. */
async function readProperties(scan: Scan, reader: Reader, draft: Draft, within: Within): Promise<void> {
  for (let left = await takeNumber(reader); left > 0; left -= 1) {
    count(scan);
    const head = await reader.take(4);
    const type = head.readUInt16LE(0) & ~types.several;
    const isSeveral = (head.readUInt16LE(0) & types.several) !== 0;
    const id = head.readUInt16LE(2);
    if (id >= 0x8000) await skipName(reader);
    const isVariable = variableTypes.has(type);
    const bytes = fixedBytes.get(type);
    if (!isVariable && bytes === undefined) return;
    for (let values = isVariable || isSeveral ? await takeNumber(reader) : 1; values > 0; values -= 1) {
      count(scan);
      if (bytes === undefined) await readVariable(scan, reader, { id, type, draft, within });
      else draft.numbers.set(id, (await reader.take(bytes)).readUInt32LE());
    }
  }
}

async function readAttribute(
  scan: Scan,
  { id, value, draft, within }: { id: number; value: ReturnType<typeof boundedTo>; draft: Draft; within: Within },
): Promise<void> {
  if (id === attributes.beginsFile) {
    draft.isDrawn = (await value.take(2)).readUInt16LE() === drawnKind;
  } else if (id === attributes.data) {
    draft.place = { offset: value.at(), bytes: value.rest() };
  } else if (id === attributes.title && value.rest() <= mostNameBytes) {
    draft.texts.set(id, textOf(await value.take(value.rest()), within.encoding));
  } else if (id === attributes.properties) {
    await readProperties(scan, value, draft, within);
  }
}

/** Reads a mail: what it says of itself, and then its attachments one after the other. */
async function readMail(scan: Scan, reader: Reader, within: Within): Promise<void> {
  const head = await reader.take(6);
  if (head.readUInt32LE() !== signature) throw new DamagedError();
  let draft: Draft | undefined;
  let no = 0;
  const close = () => {
    if (!draft) return;
    const { isMail, isDrawn, numbers } = draft;
    if (!isMail && !isDrawn && numbers.get(properties.method) !== drawnMethod && scan.files.length < mostFiles)
      scan.files.push(fileOf(draft));
    draft = undefined;
  };
  try {
    while (scan.files.length < mostFiles && !(await reader.isAtEnd())) {
      count(scan);
      const start = await reader.take(9);
      const isOfFile = start.readUInt8(0) === 2;
      const id = start.readUInt32LE(1);
      const value = boundedTo(reader, start.readUInt32LE(5));
      const sum = reader.sum();
      if (id === attributes.beginsFile && isOfFile) {
        close();
        no += 1;
        draft = {
          ...{ path: `${within.path}${no}`, isDrawn: false, isMail: false, isDescribed: false },
          ...{ place: { offset: reader.at(), bytes: 0 }, texts: new Map(), numbers: new Map() },
        };
      }
      if (isOfFile && !draft) throw new DamagedError();
      if (draft) draft.isDescribed = false;
      if (isOfFile && draft) await readAttribute(scan, { id, value, draft, within });
      else if (id === attributes.codePage && value.rest() >= 4) within.encoding = encodingOf(await takeNumber(value));
      await value.skip(value.rest());
      // Behind each attribute stands the sum of its bytes, modulo 65536.
      const told = (reader.sum() - sum) % 0x1_0000;
      if ((await reader.take(2)).readUInt16LE() !== told) throw new DamagedError();
      if (draft) draft.isDescribed = id === attributes.properties;
    }
  } catch (error) {
    // What was whole before the damage is told with it.
    if (error instanceof DamagedError && draft?.isDescribed) close();
    throw error;
  }
  close();
}

/**
 * The files in a `winmail.dat` and in the mails within it, in their order, without drawings of other programs. Where it is
 * damaged, those that are whole before the damage.
 * @param bytes the decoded part of the mail; an error of theirs is thrown as it is
 */
export async function listPackedFiles(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ files: PackedFile[]; isDamaged: boolean }> {
  const scan: Scan = { files: [], pieces: 0 };
  const pieces = bytes[Symbol.asyncIterator]();
  try {
    await readMail(scan, readerOf(pieces), { path: '', depth: 0, encoding: encodingOf(0) });
    return { files: scan.files, isDamaged: false };
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error;
    return { files: scan.files, isDamaged: true };
  } finally {
    await pieces.return?.();
  }
}

/** The bytes of a file in a `winmail.dat`; fewer, where it ends too early. Reads no further than they reach. */
export async function* readPackedFile(
  bytes: AsyncIterable<Uint8Array>,
  { offset, bytes: length }: Pick<PackedFile, 'offset' | 'bytes'>,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  if (length === 0) return;
  for await (const piece of bytes) {
    const part = piece.subarray(Math.max(0, offset - at), Math.max(0, offset + length - at));
    if (part.length > 0) yield part;
    at += piece.length;
    if (at >= offset + length) return;
  }
}
