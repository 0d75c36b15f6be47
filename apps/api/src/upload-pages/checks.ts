import { json } from 'node:stream/consumers';
import {
  contractMessages,
  type DoorCheck,
  type FileCheck,
  type Finding,
  type Locale,
  mostDoorFindings,
  type PageList,
  problem,
  type RouteBody,
  readableVariables,
  type routes,
  sentence,
  severities,
  type Unit,
  type VariableValues,
} from '@pdf2press/contract';
import { type DoorVerdict, findDoorCheck, readDoorVerdict, readSettings, startDoorCheck } from '@pdf2press/engine';
import { findingSentence, remedyOf } from '@pdf2press/preflight/contracts';
import type { Transaction } from '@pdf2press/prisma';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from '../deps.ts';
import { isOverLimit } from '../frame/rate-limits.ts';
import { found } from '../frame/rows.ts';
import { sendPicture } from '../sessions/pages.ts';
import { storeUpload } from '../uploads/store-upload.ts';
import { findUpload, type UploadRow } from '../uploads/upload-rows.ts';
import { optionsOf, readOffered } from './read-page.ts';
import { senderOf, type Visit } from './visits.ts';

type Asked = Required<Omit<RouteBody<typeof routes.uploadPages.check>, 'variables'>> & { variables: VariableValues };

/** Checks that an address may begin in an hour: each of its files a few times. */
const checksOfAddress = 100;

export const ownerOf = ({ id }: Visit, name = '') => ({ kind: 'customer' as const, id, name });

/** How a workflow of the page checks files, and the values that it would be sent with by now. @throws ProblemError `workflow.disabled` */
async function offeredTo(
  tx: Transaction,
  { organization }: Visit,
  { workflowId, variables }: Pick<Asked, 'workflowId' | 'variables'>,
): Promise<{ check: DoorCheck; variables: VariableValues }> {
  const workflow = (await readOffered(tx, organization)).find(({ id }) => id === workflowId);
  if (!workflow) throw problem('workflow.disabled', {}, 'workflowId');
  const names = new Set(workflow.variables.map(({ name }) => name));
  const given = Object.entries(variables).filter(([name]) => names.has(name));
  return { check: workflow.check, variables: readableVariables(workflow.variables, Object.fromEntries(given)) };
}

const fileOf = ({ fileName, size }: UploadRow, sha256: string) => ({ name: fileName, size, sha256 });

/** What is not checked, or not yet. */
const without = (id: string, state: 'none' | 'running' | 'late'): FileCheck => ({
  id,
  state,
  level: null,
  fault: null,
  findings: [],
  more: 0,
  pages: [],
});

/** The session that checks an upload, begun where there is none yet; null where it is not checked. */
async function checkOf(
  deps: ApiDeps,
  visit: Visit,
  { request, upload, workflowId, variables }: { request: FastifyRequest; upload: UploadRow } & Omit<Asked, 'files'>,
): Promise<string | null> {
  const { run, principal: createdBy } = senderOf(deps, visit);
  const about = (sha256: string) => ({ workflowId, uploadId: upload.id, file: fileOf(upload, sha256), variables });
  const known = upload.sha256;
  const before = known === undefined ? undefined : await run((tx) => findDoorCheck(tx, about(known)));
  if (before !== undefined) return before;
  if (await isOverLimit(deps, `upload page check ${request.ip}`, checksOfAddress, 3600))
    throw problem('request.rateLimited', { seconds: 3600 });
  const { sha256 } = await storeUpload(deps, { subscriberId: visit.context.subscriberId, run }, upload);
  return run((tx) => startDoorCheck(tx, { ...about(sha256), organizationId: visit.organization.id, createdBy }));
}

/** The worst findings first, in the words for customers; how many more there are; and their pages. */
async function toldOf(
  deps: ApiDeps,
  tx: Transaction,
  { visit, sessionId, locale, unit }: { visit: Visit; sessionId: string; locale: Locale; unit: Unit },
): Promise<Pick<FileCheck, 'findings' | 'more' | 'pages'>> {
  const worstFirst = [...severities].reverse();
  const rows = await tx.$queryRaw<{ id: string; data: Finding; total: number }[]>`
    select id, data, count(*) over ()::int as total from findings where session_id = ${sessionId}
     order by array_position(${worstFirst}::text[], severity), check_key, code, page nulls first, no
     limit ${mostDoorFindings}`;
  const findings = rows.map(({ id, data }): FileCheck['findings'][number] => ({
    id,
    severity: data.severity,
    message: findingSentence(data, locale, 'customer', unit),
    remedy: remedyOf(data.ruleKey),
    page: data.page,
    count: data.count,
    boxes: data.boxes ?? (data.box ? [data.box] : []),
  }));
  const drawn = await tx.file.findMany({
    where: { sessionId, kind: 'OriginalFileThumbnails', removedAt: null },
    select: { page: true },
  });
  const shown = new Set(findings.flatMap(({ page }) => (drawn.some((file) => file.page === page) ? (page ?? []) : [])));
  return {
    findings,
    more: (rows[0]?.total ?? 0) - findings.length,
    pages: shown.size === 0 ? [] : await pagesOf(deps, tx, { visit, sessionId, shown }),
  };
}

async function pagesOf(
  deps: ApiDeps,
  tx: Transaction,
  { visit, sessionId, shown }: { visit: Visit; sessionId: string; shown: ReadonlySet<number> },
): Promise<FileCheck['pages']> {
  const inspection = await tx.file.findFirst({
    where: { sessionId, kind: 'Others', removedAt: null, meta: { path: ['role'], equals: 'inspection' } },
    select: { sha256: true },
  });
  if (!inspection) return [];
  const { subscriberId } = visit.context;
  const { pages } = (await json(await deps.storage.open({ subscriberId, sha256: inspection.sha256 }))) as PageList;
  return pages
    .filter(({ number }) => shown.has(number))
    .map(({ number, effective, rotate }) => ({ number, effective, rotate }));
}

/** Begins to check uploads of a visit, or tells how far that is. @throws ProblemError `upload.*`, `workflow.disabled`, `request.rateLimited` */
export async function checkUploads(
  deps: ApiDeps,
  visit: Visit,
  { request, locale, ...asked }: Asked & { request: FastifyRequest; locale: Locale },
): Promise<FileCheck[]> {
  const { run } = senderOf(deps, visit);
  const { check, variables } = await run((tx) => offeredTo(tx, visit, asked));
  const checks: FileCheck[] = [];
  for (const id of new Set(asked.files)) {
    const upload = await run((tx) => findUpload(tx, ownerOf(visit), id));
    if (upload.offset < upload.size) throw problem('upload.incomplete', {}, `files.${id}`);
    const isOff = check === 'off' || upload.isCompleted;
    const { workflowId } = asked;
    const sessionId = isOff ? null : await checkOf(deps, visit, { request, upload, workflowId, variables });
    checks.push(
      sessionId === null
        ? without(id, 'none')
        : await run(async (tx) => {
            const verdict = await readDoorVerdict(tx, sessionId);
            if (verdict.state !== 'done') return without(id, verdict.state);
            const { measurementSettings } = await readSettings(tx, visit.context.subscriberId);
            const unit = optionsOf(visit.organization).unit ?? measurementSettings.defaultUnit;
            const { level } = verdict;
            const fault = verdict.fault && {
              code: verdict.fault.code,
              message: sentence(contractMessages, locale, verdict.fault.code, verdict.fault.params),
            };
            const told = await toldOf(deps, tx, { visit, sessionId, locale, unit });
            return { id, state: 'done', level, fault, ...told };
          }),
    );
  }
  return checks;
}

/** The picture of a page of an upload that was checked, to whoever uploaded it. @throws ProblemError `resource.notFound` */
export async function sendCheckedPage(
  deps: ApiDeps,
  visit: Visit,
  { request, reply, params }: { request: FastifyRequest; reply: FastifyReply; params: { id: string; page: number } },
): Promise<unknown> {
  const picture = await deps.db.withSubscriber(visit.context, async (tx) => {
    const { id } = await findUpload(tx, ownerOf(visit), params.id);
    return found(
      await tx.file.findFirst({
        where: {
          session: { isTrial: true, sourceRef: { startsWith: `${id} ` }, deletedAt: null },
          kind: 'OriginalFileThumbnails',
          page: params.page,
          removedAt: null,
        },
        orderBy: { createdAt: 'desc' },
        select: { sha256: true, mediaType: true },
      }),
    );
  });
  return sendPicture(deps, { context: visit.context, request, reply, picture, isFixed: false });
}

const codes = { running: 'upload.notChecked', errors: 'upload.hasErrors', unseen: 'upload.notAcknowledged' } as const;

/** What keeps a file from being sent; null where nothing does. */
function refusalOf(
  check: DoorCheck,
  verdict: DoorVerdict | undefined,
  isAcknowledged: boolean,
): (typeof codes)[keyof typeof codes] | null {
  const isBad = verdict?.state === 'done' && verdict.level === 'Error';
  if (check === 'demand') return isBad ? codes.errors : !verdict || verdict.state === 'running' ? codes.running : null;
  return isBad && !isAcknowledged ? codes.unseen : null;
}

/**
 * Whether an upload may be sent by what its check found; where its sender has seen errors, that is what its session remembers.
 * @throws ProblemError `upload.notChecked`, `upload.hasErrors`, `upload.notAcknowledged`
 */
export async function passDoor(
  tx: Transaction,
  visit: Visit,
  { upload, ...asked }: { upload: UploadRow; acknowledged: readonly string[] } & Omit<Asked, 'files'>,
): Promise<{ errors: number; warnings: number } | null> {
  const { check, variables } = await offeredTo(tx, visit, asked);
  if (check === 'off') return null;
  const { workflowId } = asked;
  const file = fileOf(upload, upload.sha256 ?? '');
  const sessionId = await findDoorCheck(tx, { workflowId, uploadId: upload.id, file, variables });
  if (sessionId === null) return null;
  const verdict = sessionId === undefined ? undefined : await readDoorVerdict(tx, sessionId);
  const refusal = refusalOf(check, verdict, asked.acknowledged.includes(upload.id));
  if (refusal) throw problem(refusal);
  return verdict?.state === 'done' && verdict.level === 'Error'
    ? { errors: verdict.errors, warnings: verdict.warnings }
    : null;
}
