import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type Certificate, FileFaultError, type Locale, problem } from '@pdf2press/contract';
import type { SubscriberContext, Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { demandSource } from '../../files/demand-here.ts';
import { demandProof } from '../../proofs/proof-row.ts';
import { signCertificate } from '../../secrets/certificate.ts';
import type { InstanceKeys } from '../../secrets/instance-key.ts';
import { storeDerived, withInputs } from '../derived-file.ts';
import { withEffectFolder } from '../effect-folder.ts';
import { type AskedEffect, askForEffect } from '../enqueue.ts';
import { hashOf } from '../hash-of.ts';
import { readHouse, writeLogo } from '../report/parts.ts';
import type { EffectRun } from '../run.ts';

/** Makes the PDF of a certificate in a folder, not signed yet; resolves to its path. */
export type MakeCertificate = (request: {
  pdf: string;
  record: string;
  house: { name: string; colour: string | null; logo: string | null };
  locale: Locale;
  workDir: string;
  signal: AbortSignal;
}) => Promise<string>;

/** What a certificate of a proof in a language is stored under. */
const roleOf = (upTo: number): string => `proofCertificate ${upTo}`;

/** The certificate of all decisions up to now; null when none was made. */
export async function findCertificate(
  tx: Transaction,
  { proofId, locale }: { proofId: string; locale: Locale },
): Promise<{ id: string; sha256: string; size: bigint; name: string } | null> {
  const { decisions } = await demandProof(tx, proofId);
  const upTo = decisions.at(-1)?.no;
  if (upTo === undefined) return null;
  return tx.file.findFirst({
    where: {
      removedAt: null,
      AND: [
        { meta: { path: ['role'], equals: roleOf(upTo) } },
        { meta: { path: ['proofId'], equals: proofId } },
        { meta: { path: ['locale'], equals: locale } },
      ],
    },
    select: { id: true, sha256: true, size: true, name: true },
  });
}

/**
 * Asks for the certificate of all decisions up to now; asking again does nothing more. `dead` = it cannot be made.
 * @throws ProblemError `certificate.undecided` before the first decision, `file.removed`, `session.archived`
 */
export const askForCertificate = (
  deps: EngineDeps,
  context: SubscriberContext,
  { proofId, locale }: { proofId: string; locale: Locale },
): Promise<AskedEffect> =>
  deps.database.withSubscriber(context, async (tx) => {
    const proof = await demandProof(tx, proofId);
    const upTo = proof.decisions.at(-1)?.no;
    if (upTo === undefined) throw problem('certificate.undecided');
    const { sessionId, session, version } = proof;
    await demandSource(tx, proof.fileId);
    const name = `${path.parse(session.fileName).name}-certificate-${version}-${locale}.pdf`;
    return askForEffect(
      tx,
      {
        kind: 'certificate',
        key: `certificate ${proofId} ${upTo} ${locale}`,
        sessionId,
        payload: { proofId, upTo, locale, name },
      },
      () => findCertificate(tx, { proofId, locale }),
    );
  });

/** The decisions as the database chained them: the text that was hashed, and the hashes. */
const readChain = (tx: Transaction, proofId: string, upTo: number): Promise<Certificate['records']> =>
  tx.$queryRaw<Certificate['records']>`
    select encode(prev_hash, 'hex') as "previousHash", encode(row_hash, 'hex') as hash,
           jsonb_build_array(subscriber_id, no, id, proof_id, recipient_id, decision, record)::text as text
      from proof_decisions where proof_id = ${proofId} and no <= ${upTo} order by no`;

/** The lists of notes that stand beside the decisions, by their hashes; nothing where there are none. */
async function readNoteLists(tx: Transaction, proofId: string, upTo: number): Promise<Pick<Certificate, 'notes'>> {
  const lists = await tx.$queryRaw<{ sha256: string; notes: string }[]>`
    select distinct record->'notesBeside'->>'sha256' as sha256, notes
      from proof_decisions where proof_id = ${proofId} and no <= ${upTo} and notes is not null`;
  return lists.length === 0 ? {} : { notes: Object.fromEntries(lists.map(({ sha256, notes }) => [sha256, notes])) };
}

/**
 * Makes certificates that somebody asked for. The stored bytes are hashed first: of a file that is not the one that was
 * decided on, no certificate is made.
 */
export function makeCertificates(
  deps: EngineDeps,
  { makeCertificate, workFolder, keys }: { makeCertificate: MakeCertificate; workFolder: string; keys: InstanceKeys },
): EffectRun<'certificate'> {
  return {
    run: (effect, signal) => {
      const { proofId, upTo, locale, name } = effect.payload;
      return withEffectFolder(workFolder, effect, async (workDir) => {
        const { proof, chain, lists, house, original } = await deps.database.withSubscriber(effect, async (tx) => {
          const proof = await demandProof(tx, proofId);
          return {
            proof,
            chain: await readChain(tx, proofId, upTo),
            lists: await readNoteLists(tx, proofId, upTo),
            house: await readHouse(tx, proof.sessionId, effect.subscriberId),
            original: await tx.file.findUniqueOrThrow({ where: { id: proof.originalFileId } }),
          };
        });
        const logo = await writeLogo(deps, effect.subscriberId, house, workDir);
        const issuer = { name: house.name || (deps.app?.title ?? ''), address: deps.app?.baseUrl ?? '' };
        return withInputs(deps, effect, [proof.fileId], async ([file]) => {
          const stored = await hashOf(createReadStream(file.localPath), signal);
          if (stored !== file.sha256) throw new FileFaultError('STORAGE_UNAVAILABLE', { sha256: file.sha256 });
          const certificate: Certificate = {
            format: 'pdf2press-proof-certificate',
            formatVersion: 1,
            issuedAt: new Date().toISOString(),
            issuer,
            sessionId: proof.sessionId,
            proofId,
            version: proof.version,
            fileName: file.name,
            pageCount: proof.session.pageCount ?? 0,
            proofSha256: file.sha256,
            productionSha256: stored,
            originalSha256: original.sha256,
            records: chain,
            ...lists,
          };
          const record = path.join(workDir, 'record.json');
          await writeFile(record, JSON.stringify(certificate, null, 2));
          const made = await makeCertificate({
            pdf: file.localPath,
            record,
            house: { name: issuer.name, colour: house.colour, logo },
            locale,
            workDir,
            signal,
          });
          const signed = signCertificate(await readFile(made), keys);
          return storeDerived(deps, effect, file, Readable.from([signed]), {
            kind: 'Others',
            name,
            mediaType: 'application/pdf',
            meta: { role: roleOf(upTo), proofId, locale },
          });
        });
      });
    },
    onDead: async (_, { payload: { name } }) => ({ name }),
  };
}
