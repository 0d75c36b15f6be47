import { readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type AuditAnchorFault, type AuditExport, auditAnchorsSchema, auditExportSchema } from '@pdf2press/contract';
import { FileFaultError } from '@pdf2press/contract/faults';
import { type AuditExportFault, anchorFaults, auditExportFaults } from '@pdf2press/engine/secrets';
import { parsed } from './arguments.ts';
import { exitCodes, oneLine, UsageError, withWorkDir } from './file-work.ts';
import { readKey } from './read-key.ts';

const usage = 'usage: pdf2press verify-audit AUDIT.json [EARLIER.json …] [--anchors ANCHORS.json --key KEY.pem]';

const told: Readonly<Record<AuditExportFault, string>> = {
  changed: 'its content is not what was written',
  contradicts: 'what is shown is not what was written',
  order: 'it stands behind a later one',
  missing: 'the entry before it is missing',
  unlinked: 'it does not follow the entry before it',
};

const anchorTold: Readonly<Record<AuditAnchorFault, string>> = {
  rewritten: 'is another than the one that was signed: the chain was made anew',
  cutOff: 'is no longer there: the chain was cut off',
  forged: 'has an anchor that is not signed with this key',
};

/** Longer text than this cannot be held as one. */
const maxBytes = 2 ** 28;
/** How many faults are listed. */
const mostListed = 20;

/**
 * `pdf2press verify-audit`: whether an export of the audit is as the database chained it, and whether it still holds every
 * entry of earlier exports and of the installation's signed anchors. Needs no connection. Exit code 1 when anything does not belong together.
 */
export const run = (args: string[]): Promise<number> =>
  withWorkDir(async () => {
    const { values, positionals } = parsed(usage, () =>
      parseArgs({ args, allowPositionals: true, options: { anchors: { type: 'string' }, key: { type: 'string' } } }),
    );
    const [file, ...earlier] = positionals;
    // Without a key to compare, whoever made the chain anew could sign anchors with a key of their own.
    if (file === undefined || (values.anchors === undefined) !== (values.key === undefined))
      throw new UsageError(usage);
    const key = values.key === undefined ? '' : await readKey(values.key);
    const read = await readExport(file);
    if (!read) return refused(file, 'this is no export of the audit as JSON');
    const faults = auditExportFaults(read);
    for (const { no, fault } of faults.slice(0, mostListed)) refused(file, `entry ${no}: ${told[fault]}`);
    if (faults.length > mostListed) refused(file, `${faults.length} entries in all`);
    if (faults.length > 0) return exitCodes.resultIsError;
    console.log(oneLine(`OK ${file}: ${summaryOf(read)}`));
    let worst: number = exitCodes.done;
    for (const other of earlier) worst = Math.max(worst, await compare(other, file, read));
    return values.anchors === undefined ? worst : Math.max(worst, await judge(values.anchors, key, file, read));
  });

async function readAs<T>(file: string, schema: { parse(value: unknown): T }): Promise<T | null> {
  const { size } = await stat(file);
  if (size > maxBytes) throw new FileFaultError('PDF_TOO_LARGE', { bytes: size, limit: maxBytes });
  const text = await readFile(file, 'utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // Told by the caller: what is wrong with it does not matter.
    return null;
  }
}

const readExport = (file: string): Promise<AuditExport | null> => readAs(file, auditExportSchema);

function summaryOf({ entries, filter }: AuditExport): string {
  const last = entries.at(-1);
  if (!last) return 'no entries';
  const end = `the last is ${last.no} of ${last.at} with the hash ${last.hash}`;
  return Object.keys(filter).length === 0
    ? `unbroken, ${entries.length} entries; ${end}`
    : `${entries.length} entries of a filter, each as it was written; what was left out is not judged; ${end}`;
}

function refused(file: string, why: string): number {
  console.log(oneLine(`REFUSED ${file}: ${why}`));
  return exitCodes.resultIsError;
}

/** Whether what was exported earlier is still there, and still the same: a chain that was made anew is not. */
async function compare(file: string, newer: string, { entries, subscriberId }: AuditExport): Promise<number> {
  const earlier = await readExport(file);
  if (!earlier) return refused(file, 'this is no export of the audit as JSON');
  if (earlier.subscriberId !== subscriberId) return refused(file, 'this is the audit of another subscriber');
  const hashes = new Map(entries.map(({ no, hash }) => [no, hash]));
  const lost = earlier.entries.find(({ no, hash }) => hashes.get(no) !== hash);
  if (lost) return refused(file, `its entry ${lost.no} is not in ${newer} as it was`);
  console.log(oneLine(`OK ${file}: all its ${earlier.entries.length} entries are in ${newer}`));
  return exitCodes.done;
}

/** Whether the entries that the installation signed day by day are there, and still what they were. */
async function judge(
  file: string,
  key: string,
  audit: string,
  { entries, subscriberId, filter, exportedAt }: AuditExport,
): Promise<number> {
  const read = await readAs(file, auditAnchorsSchema);
  if (!read) return refused(file, 'these are no anchors of the audit');
  if (read.subscriberId !== subscriberId) return refused(file, 'these are the anchors of another subscriber');
  const hashes = new Map(entries.map(({ no, hash }) => [no, hash]));
  const isWhole = Object.keys(filter).length === 0;
  // Of what was filtered out nothing is known, nor of what was written later than the export.
  const known = read.anchors.filter(({ at, no }) => hashes.has(no) || (isWhole && at <= exportedAt));
  const faults = anchorFaults({ subscriberId, anchors: known }, key, (no) => hashes.get(no));
  for (const { no, fault } of faults.slice(0, mostListed)) refused(file, `entry ${no} ${anchorTold[fault]}`);
  if (faults.length > 0) return exitCodes.resultIsError;
  console.log(oneLine(`OK ${file}: ${known.length} of ${read.anchors.length} anchors hold in ${audit}`));
  return exitCodes.done;
}
