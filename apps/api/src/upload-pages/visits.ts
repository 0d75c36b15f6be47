import { randomBytes, randomInt } from 'node:crypto';
import { fileTypeOf, mostFilesOfVisit, problem } from '@pdf2press/contract';
import { demandInPlan } from '@pdf2press/engine';
import { newId, type Transaction } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { passesCaptcha } from '../auth/captcha.ts';
import { hashOf } from '../auth/tokens.ts';
import type { ApiDeps } from '../deps.ts';
import { isOverLimit } from '../frame/rate-limits.ts';
import { hide, refuseStranger } from '../frame/strangers.ts';
import { markOfAddress } from '../uploads/demand-turn.ts';
import type { Admission, Beginning, Sender } from '../uploads/sender.ts';
import { isOpen, type OpenedPage, type PageOwner } from './open-page.ts';
import { readOffered } from './read-page.ts';

/** How long a visit lasts; what is not submitted by then is removed. */
const visitMs = 24 * 3_600_000;
/** Of the secret: 256 bits cannot be guessed. */
const secretBytes = 32;

/** Files that an address may begin in an hour, and files and bytes that a page takes in a day. */
const filesOfAddress = 20;
const dayOfPage = { files: 200, bytes: 10 * 1024 ** 3 };

/** Letters and digits that nobody takes for one another when they are read out. */
const readable = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** Such as `K7M2-9QXD`, to be asked by on the telephone. */
const newReference = (): string =>
  Array.from({ length: 8 }, () => readable[randomInt(readable.length)])
    .join('')
    .replace(/^.{4}/, '$&-');

/**
 * Begins a visit, which uploads belong to.
 * @throws ProblemError `auth.captchaFailed`
 */
export async function beginVisit(
  deps: ApiDeps,
  { context, organization }: OpenedPage,
  captcha: string | undefined,
): Promise<{ visit: string; expiresAt: string }> {
  // Without a captcha nothing limits how much strangers leave here but their number.
  if (!(await passesCaptcha(deps, { text: captcha, action: 'upload' }))) throw problem('auth.captchaFailed');
  const visit = randomBytes(secretBytes).toString('base64url');
  const expiresAt = new Date(Date.now() + visitMs);
  await deps.db.withSubscriber(context, (tx) =>
    tx.uploadVisit.create({
      data: {
        id: newId('uploadVisit'),
        organizationId: organization.id,
        secretHash: hashOf(visit),
        reference: newReference(),
        expiresAt,
      },
      select: { id: true },
    }),
  );
  return { visit, expiresAt: expiresAt.toISOString() };
}

/** A visit that goes on, at a page that is still public. */
export interface Visit extends OpenedPage {
  id: string;
  reference: string;
  /** Of what was submitted; null before. */
  receipt: unknown;
}

/**
 * The visit of a secret, which is looked up by its hash, so that the time of the look-up tells nothing of it.
 * @throws ProblemError `resource.notFound`, `request.rateLimited`
 */
export async function openVisit(
  deps: ApiDeps,
  {
    request,
    reply,
    params,
  }: {
    request: FastifyRequest;
    reply: FastifyReply;
    params: { visit: string };
  },
): Promise<Visit> {
  hide(reply);
  const row = await deps.db.asHost((tx) =>
    tx.uploadVisit.findFirst({
      where: {
        secretHash: hashOf(params.visit),
        expiresAt: { gt: new Date() },
        organization: isOpen,
      },
      include: { organization: true },
    }),
  );
  if (!row) return refuseStranger(deps, 'upload page', request);
  const { id, reference, receipt, organization, subscriberId } = row;
  return { id, reference, receipt, organization, context: { subscriberId } };
}

/** @throws ProblemError `upload.tooMany`, `upload.pageFull` */
async function demandPlace(tx: Transaction, { id, organization }: Visit, size: number): Promise<void> {
  // Beginnings of one visit wait for each other, so that none is counted twice or not at all.
  await tx.$queryRaw`select 1 from upload_visits where id = ${id} for update`;
  const [counted] = await tx.$queryRaw<{ own: number; files: number; bytes: number }[]>`
    select count(*) filter (where principal->>'id' = ${id} and state <> 'Expired')::int as own,
           count(*)::int as files, coalesce(sum(declared_size), 0)::float8 as bytes
      from uploads
     where organization_id = ${organization.id} and principal->>'kind' = 'customer'
       and created_at > clock_timestamp() - interval '1 day'`;
  const { own = 0, files = 0, bytes = 0 } = counted ?? {};
  if (own >= mostFilesOfVisit) throw problem('upload.tooMany', { limit: mostFilesOfVisit });
  if (files >= dayOfPage.files || bytes + size > dayOfPage.bytes) throw problem('upload.pageFull');
}

/** @throws ProblemError `file.typeNotAccepted`, `file.empty` */
async function demandType(tx: Transaction, organization: PageOwner, { fileName, size }: Beginning): Promise<void> {
  if (size === 0) throw problem('file.empty');
  const types = [...new Set((await readOffered(tx, organization)).flatMap((workflow) => workflow.types))];
  const type = fileTypeOf(fileName);
  if (!type || !types.includes(type)) throw problem('file.typeNotAccepted', { types: types.join(', ') });
}

/** Whoever uploads in a visit, from an address: complete bytes wait until they are submitted. */
export function senderOf(
  deps: ApiDeps,
  visit: Visit,
  { secret = '', name = '', ip }: { secret?: string; name?: string; ip?: string } = {},
): Sender {
  const { context, organization } = visit;
  return {
    subscriberId: context.subscriberId,
    principal: { kind: 'customer', id: visit.id, name },
    ...(ip !== undefined && { from: markOfAddress(ip) }),
    path: `/upload-visits/${secret}/files`,
    maxBytes: deps.env.maxUploadBytes,
    run: (work) => deps.db.withSubscriber(context, work),
    admit: async (tx, beginning): Promise<Admission> => {
      if (visit.receipt !== null) throw problem('resource.conflict');
      await demandType(tx, organization, beginning);
      await demandPlace(tx, visit, beginning.size);
      await demandInPlan(tx, beginning.size);
      return {
        workflowId: null,
        organizationId: organization.id,
        metadata: {},
      };
    },
    complete: async () => null,
  };
}

/** @throws ProblemError `request.rateLimited` */
export async function demandTurn(deps: ApiDeps, { ip }: FastifyRequest): Promise<void> {
  if (await isOverLimit(deps, `upload page file ${ip}`, filesOfAddress, 3600))
    throw problem('request.rateLimited', { seconds: 3600 });
}
