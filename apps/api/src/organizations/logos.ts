import { createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { FileFaultError, logoSide, mostLogoBytes, problem } from '@pdf2press/contract';
import { writeBlobs } from '@pdf2press/engine';
import { traced } from '@pdf2press/engine/tracing';
import type { Blob } from '@pdf2press/storage';
import { drawLogoOf } from '@pdf2press/tasks/logo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../frame/caller.ts';
import { asCaller } from '../frame/context.ts';
import { notFound } from '../frame/errors.ts';
import { readParts } from '../sessions/create.ts';

const markOf = (deps: ApiDeps, { subscriberId, sha256 }: Blob): string =>
  createHmac('sha256', deps.keys.derive('logo')).update(`${subscriberId}.${sha256}`).digest('base64url').slice(0, 32);

/** The name of a logo that this server drew: only it can make one, so a logo can never name another stored file. */
export const nameOfLogo = (deps: ApiDeps, blob: Blob): string =>
  `${blob.subscriberId}.${blob.sha256}.${markOf(deps, blob)}`;

/** The names of an organization's logos. */
export const logoNameOf =
  (deps: ApiDeps, subscriberId: string) =>
  (sha256: string | null): string | null =>
    sha256 === null ? null : nameOfLogo(deps, { subscriberId, sha256 });

/** An organization as strangers see it. */
export const publicOrganization = (
  deps: ApiDeps,
  subscriberId: string,
  organization: { name: string; color: string | null; pageLogoSha256: string | null } | null,
) =>
  organization && {
    name: organization.name,
    color: organization.color,
    logo: logoNameOf(deps, subscriberId)(organization.pageLogoSha256),
  };

/** The blob that a name stands for; undefined for what this server has not written. */
export function readLogoName(deps: ApiDeps, name: string): Blob | undefined {
  const [subscriberId = '', sha256 = '', mark = ''] = name.split('.');
  const right = Buffer.from(markOf(deps, { subscriberId, sha256 }));
  const given = Buffer.from(mark);
  return given.length === right.length && timingSafeEqual(given, right) ? { subscriberId, sha256 } : undefined;
}

/** Child processes of this API that draw logos now. */
let underway = 0;
const mostAtOnce = 2;

/** Draws a picture anew and stores the logo; the picture itself is kept nowhere. */
async function redraw(deps: ApiDeps, caller: Caller, picture: Blob) {
  const workDir = await mkdtemp(path.join(deps.unlockFolder, 'logo-'));
  const out = path.join(workDir, 'logo.png');
  try {
    const size = await deps.storage.withLocalPath(picture, (at) =>
      traced({ name: 'child logo' }, () =>
        drawLogoOf({
          path: at,
          out,
          side: logoSide,
          workDir,
          signal: deps.stopping,
          timeFactor: deps.env.pdfTimeFactor,
        }),
      ),
    );
    const stored = await deps.storage.put({ subscriberId: caller.subscriberId, bytes: createReadStream(out) });
    return { ...size, stored };
  } catch (error) {
    if (error instanceof FileFaultError && error.code !== 'STORAGE_FULL') throw problem('logo.notAccepted', {}, 'file');
    throw error;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * Takes a picture (multipart, field `file`) and makes a logo of it in a limited child process.
 * @throws ProblemError `file.missing`, `file.tooLarge`, `logo.notAccepted`, `service.tooBusy`
 */
export async function takeLogo(deps: ApiDeps, caller: Caller, request: FastifyRequest) {
  if (!request.isMultipart()) throw problem('request.notJson');
  const { file } = await readParts(deps, caller, request, mostLogoBytes);
  if (!file) throw problem('file.missing', {}, 'file');
  if (underway >= mostAtOnce) throw problem('service.tooBusy');
  underway += 1;
  const { subscriberId } = caller;
  const { stored, width, height } = await redraw(deps, caller, { subscriberId, sha256: file.sha256 }).finally(() => {
    underway -= 1;
  });
  // The picture has a row as well, so that it is removed with what nothing uses.
  await asCaller(deps, caller, (tx) =>
    writeBlobs(
      tx,
      [file, stored].map(({ sha256, size }) => ({ sha256, size })),
    ),
  );
  return { logo: nameOfLogo(deps, { subscriberId, sha256: stored.sha256 }), width, height };
}

/** Sends a logo to anybody who has its address; its bytes never change. @throws ProblemError `resource.notFound` */
export async function sendLogo(deps: ApiDeps, reply: FastifyReply, name: string): Promise<unknown> {
  const blob = readLogoName(deps, name);
  if (!blob) throw notFound();
  const isHere = await deps.db.withSubscriber({ subscriberId: blob.subscriberId }, (tx) =>
    tx.blob.count({ where: { sha256: blob.sha256, removedAt: null } }),
  );
  if (isHere === 0) throw notFound();
  return reply
    .headers({
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "sandbox; default-src 'none'",
    })
    .send(await deps.storage.open(blob));
}
