import {
  problem,
  type Release,
  type ReleaseWatch,
  releaseSchema,
  releaseWatchSchema,
  SourceFaultError,
} from '@pdf2press/contract';
import { type Transaction, toJson } from '@pdf2press/prisma';
import type { GuardedFetch } from '@pdf2press/sources/contracts';
import { z } from 'zod';
import type { EngineDeps } from '../deps.ts';
import type { HouseAlarm } from './alarm.ts';
import { isNewer } from './version-order.ts';

/** The key of whether newer versions are asked for, and what was heard of them. */
export const releaseFact = 'releases';

const faultSchema = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
type ReleaseFault = z.infer<typeof faultSchema>;

const factSchema = releaseWatchSchema.extend({
  newest: releaseSchema.nullable().default(null),
  askedAt: z.iso.datetime().nullable().default(null),
  fault: faultSchema.nullable().default(null),
});
export type ReleaseState = z.output<typeof factSchema>;

/** Milliseconds that an answer may take as a whole. */
const patience = 10_000;
/** Bytes of an answer that are read: a list of a hundred releases with what is said about them is shorter. */
const longestAnswer = 4 * 1024 ** 2;

export const releaseStateOf = (value: unknown): ReleaseState => factSchema.parse(value ?? {});

/** What is set and known of newer versions. The transaction is the host's, as for all of this file. */
export async function readReleaseState(tx: Transaction): Promise<ReleaseState> {
  const fact = await tx.hostFact.findUnique({ where: { key: releaseFact } });
  return releaseStateOf(fact?.value);
}

/** Changes whether and where newer versions are asked for. What another address said is forgotten. */
export async function writeReleaseWatch(tx: Transaction, { isOn, address }: ReleaseWatch): Promise<void> {
  const before = await readReleaseState(tx);
  const heard = before.address === address ? before : releaseStateOf({});
  const value = toJson({ ...heard, isOn, address });
  await tx.hostFact.upsert({
    where: { key: releaseFact },
    create: { key: releaseFact, value },
    update: { value, updatedAt: new Date() },
  });
}

/** As GitHub, Gitea and Forgejo write a release; a list of them or the latest one alone. */
const entrySchema = z.object({
  tag_name: z.string(),
  html_url: z.unknown().optional(),
  draft: z.boolean().default(false),
  prerelease: z.boolean().default(false),
});
const answerSchema = z.union([z.array(entrySchema), entrySchema.transform((entry) => [entry])]);

/** The newest finished version of an answer; null when it lists none. @throws what `zod` and `JSON` say of another answer */
function newestOf(text: string): Release | null {
  let newest: Release | null = null;
  for (const { tag_name: tag, html_url: page, draft, prerelease } of answerSchema.parse(JSON.parse(text))) {
    const version = /^v?(\d+\.\d+\.\d+)$/.exec(tag.trim())?.[1];
    if (version === undefined || draft || prerelease) continue;
    if (newest !== null && !isNewer(version, newest.version)) continue;
    newest = { version, page: releaseSchema.shape.page.safeParse(page).data ?? null };
  }
  return newest;
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > longestAnswer) throw new RangeError('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Asks an address; nothing is sent but what every such call has. */
async function ask(
  fetch: GuardedFetch,
  address: string,
): Promise<{ newest: Release | null } | { fault: ReleaseFault }> {
  const { host } = new URL(address);
  const signal = AbortSignal.timeout(patience);
  try {
    const response = await fetch(address, {
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': 'pdf2press' },
      signal,
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return { fault: { code: 'releases.refused', params: { host, status: response.status } } };
    }
    const text = await textOf(response);
    try {
      return { newest: newestOf(text) };
    } catch {
      return { fault: { code: 'releases.unreadable', params: { host } } };
    }
  } catch (error) {
    if (error instanceof RangeError) return { fault: { code: 'releases.unreadable', params: { host } } };
    if (error instanceof SourceFaultError && error.code !== 'source.unreachable')
      return { fault: { code: error.code, params: error.params } };
    return { fault: { code: 'releases.unreachable', params: { host } } };
  }
}

export interface ReleaseEnvironment {
  fetch: GuardedFetch;
  /** Asked where the settings name none; undefined = there is none. */
  usualAddress: string | undefined;
}

/**
 * Asks now for the newest version and writes down what was heard. What was known stays when the answer is of no use.
 * @throws ProblemError `releases.addressNeeded`
 */
export async function askForReleases(
  { database }: Pick<EngineDeps, 'database'>,
  { fetch, usualAddress }: ReleaseEnvironment,
): Promise<void> {
  const { address: own } = await database.asHost(readReleaseState);
  const address = own || usualAddress;
  if (!address) throw problem('releases.addressNeeded');
  const heard = await ask(fetch, address);
  const change = JSON.stringify({ fault: null, ...heard, askedAt: new Date().toISOString() });
  const unset = JSON.stringify(releaseStateOf({}));
  await database.asHost(
    (tx) => tx.$executeRaw`
      insert into host_facts (key, value, updated_at) values (${releaseFact}, ${unset}::jsonb || ${change}::jsonb, clock_timestamp())
      on conflict (key) do update set value = host_facts.value || ${change}::jsonb, updated_at = clock_timestamp()
       where host_facts.value ->> 'address' = ${own}`,
  );
}

/** Asks for the newest version where that is switched on and was not done for a day; of several processes one does it. */
export async function lookAtReleases(
  deps: Pick<EngineDeps, 'database'>,
  environment: ReleaseEnvironment,
): Promise<void> {
  const claim = JSON.stringify({ askedAt: new Date().toISOString() });
  const claimed = await deps.database.asHost(
    (tx) => tx.$executeRaw`
      update host_facts set value = value || ${claim}::jsonb
       where key = ${releaseFact} and (value ->> 'isOn')::boolean
         and (value ->> 'address' <> '' or ${environment.usualAddress !== undefined})
         and coalesce((value ->> 'askedAt')::timestamptz < clock_timestamp() - interval '1 day', true)`,
  );
  if (claimed === 1) await askForReleases(deps, environment);
}

/** A newer version than the one that runs is out. Ends when that one or a later one runs. */
export const releaseNewer: HouseAlarm = {
  of: 'house',
  severity: 'Info',
  leads: '/releases',
  look: ({ version, releases: { isOn, newest } }) =>
    isOn && newest && version !== undefined && isNewer(newest.version, version)
      ? [{ id: newest.version, params: { version: newest.version, running: version } }]
      : [],
};
