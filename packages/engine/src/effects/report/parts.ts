import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { readSettings } from '../../secrets/settings.ts';

/** What a report shows besides the findings, and whose report it is. */
export interface ReportParts {
  /** Change logs of the fix steps of the run, in their order. */
  fixReportIds: string[];
  /** What the newest imposition step of the run made. */
  sheetsId: string | null;
  /** IANA name; null = that of the server. */
  timeZone: string | null;
  house: {
    /** Empty = as the installation is called. */
    name: string;
    colour: string | null;
    /** Of a stored picture, or the picture itself as a data address. */
    logo: { sha256: string } | { data: string } | null;
  };
}

/** Reads what belongs into a report of a session's run. */
export async function readParts(
  tx: Transaction,
  { sessionId, runNo, subscriberId }: { sessionId: string; runNo: number; subscriberId: string },
): Promise<ReportParts> {
  const inRun = { sessionId, runNo, removedAt: null };
  const fixes = await tx.file.findMany({
    where: { ...inRun, meta: { path: ['role'], equals: 'fixReport' } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
    take: 20,
  });
  const sheets = await tx.file.findFirst({
    where: {
      ...inRun,
      kind: 'ProductionFile',
      mediaType: 'application/pdf',
      stepRun: { kind: 'Impose' },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  return {
    fixReportIds: fixes.map(({ id }) => id),
    sheetsId: sheets?.id ?? null,
    timeZone: (await readSettings(tx, subscriberId)).timeZone || null,
    house: await readHouse(tx, sessionId, subscriberId),
  };
}

/** Whose paper it is: the organization's of the session, else the house's. */
export async function readHouse(
  tx: Transaction,
  sessionId: string,
  subscriberId: string,
): Promise<ReportParts['house']> {
  const { organization } = await tx.session.findUniqueOrThrow({
    where: { id: sessionId },
    select: { organization: { select: { name: true, color: true, pageLogoSha256: true } } },
  });
  const { houseSettings } = await readSettings(tx, subscriberId);
  const stored = organization?.pageLogoSha256;
  // The house's logo does not stand above the name of an organization.
  const own = houseSettings.logo !== '' && organization === null ? { data: houseSettings.logo } : null;
  return {
    name: organization?.name || houseSettings.name,
    colour: organization?.color || houseSettings.color || null,
    logo: stored ? { sha256: stored } : own,
  };
}

/** A text that is another when a report would look otherwise. */
export const digestOf = (parts: ReportParts): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

/** Writes the logo into a folder; resolves to its path, null for none. */
export async function writeLogo(
  { storage }: EngineDeps,
  subscriberId: string,
  { logo }: ReportParts['house'],
  workDir: string,
): Promise<string | null> {
  if (logo === null) return null;
  const file = path.join(workDir, 'logo');
  const bytes =
    'data' in logo
      ? Buffer.from(logo.data.slice(logo.data.indexOf(',') + 1), 'base64')
      : await buffer(await storage.open({ subscriberId, sha256: logo.sha256 }));
  await writeFile(file, bytes);
  return file;
}
