import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, type FontFileFacts, mostFontBytes, problem } from '@pdf2press/contract';
import { writeBlobs } from '@pdf2press/engine';
import { traced } from '@pdf2press/engine/tracing';
import { newId } from '@pdf2press/prisma';
import type { Blob } from '@pdf2press/storage';
import { factsOfFontFile } from '@pdf2press/tasks/font';
import type { FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { audit } from '../frame/audit.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { readParts } from '../sessions/create.ts';

/** Child processes of this API that read fonts now. */
let underway = 0;
const mostAtOnce = 2;

/** What a font says of itself, read in a limited child process. @throws ProblemError `font.unreadable`, `font.restricted` */
async function readFacts(deps: ApiDeps, font: Blob): Promise<FontFileFacts> {
  const workDir = await mkdtemp(path.join(deps.unlockFolder, 'font-'));
  try {
    const facts = await deps.storage.withLocalPath(font, (at) =>
      traced({ name: 'child font' }, () =>
        factsOfFontFile({ path: at, workDir, signal: deps.stopping, timeFactor: deps.env.pdfTimeFactor }),
      ),
    );
    if (!facts.mayEmbed) throw problem('font.restricted', { name: facts.postScriptName }, 'file');
    return facts;
  } catch (error) {
    if (error instanceof FileFaultError && error.code !== 'STORAGE_FULL') throw problem('font.unreadable', {}, 'file');
    throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * Takes a font (multipart, field `file`) into the library.
 * @throws ProblemError `file.missing`, `file.tooLarge`, `font.unreadable`, `font.restricted`, `font.isThere`, `service.tooBusy`
 */
export async function addFont(deps: ApiDeps, { caller, request }: { caller: Caller; request: FastifyRequest }) {
  if (!request.isMultipart()) throw problem('request.notJson');
  const { file } = await readParts(deps, caller, request, mostFontBytes);
  if (!file) throw problem('file.missing', {}, 'file');
  const { sha256, size, name: fileName } = file;
  // A refused file has a row as well, so that it is removed with what nothing uses.
  await asCaller(deps, caller, (tx) => writeBlobs(tx, [{ sha256, size }]));
  if (underway >= mostAtOnce) throw problem('service.tooBusy');
  underway += 1;
  const facts = await readFacts(deps, { subscriberId: caller.subscriberId, sha256 }).finally(() => {
    underway -= 1;
  });
  const { postScriptName, family, style, fullName } = facts;
  return asCaller(deps, caller, async (tx) => {
    await writeBlobs(tx, [{ sha256, size }]);
    const known = await tx.font.findFirst({ where: { sha256 }, select: { postScriptName: true } });
    if (known) throw problem('font.isThere', { name: known.postScriptName }, 'file');
    const id = newId('font');
    const font = await tx.font.create({
      data: { id, sha256, size, fileName, postScriptName, family, style, fullName, facts, createdBy: caller.name },
    });
    await audit(tx, request, { act: 'font.add', object: id, after: { name: postScriptName, fileName } });
    return font;
  });
}
