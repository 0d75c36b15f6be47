import type { Finding, FindingFate, SessionStatus, TrialDifference } from '@pdf2press/contract';

/** One run of a session, as far as two are compared. */
export interface Ran {
  status: SessionStatus;
  errorCode: string | null;
  /** In the order they ran; what a judging step found is in `findings`, null for other steps. */
  steps: readonly { stepId: string; outcome: string | null; findings: readonly Finding[] | null }[];
  /** The last file, with the checksums of the pictures of its pages. */
  output: { sha256: string; pictures: ReadonlyMap<number, string> } | null;
}

export interface ChangedFinding {
  finding: Finding;
  fate: FindingFate;
  /** How many places. */
  count: number;
}

export interface Compared {
  differences: TrialDifference[];
  changed: ChangedFinding[];
  /** Null where there are no pictures to compare. */
  changedPages: number[] | null;
}

/** A place of a finding: check, rule, severity, page and box to the nearest point; a group has many. */
function placesOf({ checkKey, ruleKey, severity, page, pages, box, boxes }: Finding): string[] {
  const at = (on: number | null, corners: readonly number[] | null) =>
    JSON.stringify([checkKey, ruleKey, severity, on, corners?.map(Math.round) ?? null]);
  if (boxes && boxes.length > 0) return boxes.map((corners) => at(page, corners));
  if (box) return [at(page, box)];
  return page === null && pages && pages.length > 0 ? pages.map((on) => at(on, null)) : [at(page, null)];
}

const allPlaces = (findings: readonly Finding[]): Set<string> => new Set(findings.flatMap(placesOf));

/** Those findings that have places which are not among the known ones. */
function beyond(findings: readonly Finding[], known: ReadonlySet<string>, fate: FindingFate): ChangedFinding[] {
  return findings.flatMap((finding) => {
    const count = placesOf(finding).filter((place) => !known.has(place)).length;
    return count > 0 ? [{ finding, fate, count }] : [];
  });
}

/** What the last judging step found, and what any of them did. */
function judged({ steps }: Ran): { last: readonly Finding[]; all: readonly Finding[] } {
  const lists = steps.flatMap(({ findings }) => (findings ? [findings] : []));
  return { last: lists.at(-1) ?? [], all: lists.flat() };
}

function changedFindings(now: Ran, then: Ran): ChangedFinding[] {
  const [after, before] = [judged(now), judged(then)];
  const still = allPlaces(after.last);
  const found = allPlaces(after.all);
  const vanished = beyond(before.last, still, 'gone');
  return [
    ...beyond(after.last, allPlaces(before.last), 'new'),
    // Found by an earlier check of the trial and not by its last one: something between them corrected it.
    ...vanished.map((one) =>
      placesOf(one.finding).every((place) => still.has(place) || found.has(place))
        ? { ...one, fate: 'fixed' as const }
        : one,
    ),
  ];
}

function changedPages(now: Ran['output'], then: Ran['output']): number[] | null {
  if (now?.sha256 === then?.sha256) return [];
  if (!now?.pictures.size || !then?.pictures.size) return null;
  const pages = [...new Set([...now.pictures.keys(), ...then.pictures.keys()])].sort((a, b) => a - b);
  return pages.filter((page) => now.pictures.get(page) !== then.pictures.get(page));
}

const pathOf = ({ steps }: Ran) => JSON.stringify(steps.map(({ stepId, outcome }) => [stepId, outcome]));

/** What differs between a trial and what really happened. */
export function compareRuns(now: Ran, then: Ran): Compared {
  const changed = changedFindings(now, then);
  const pages = changedPages(now.output, then.output);
  const differs: Readonly<Record<TrialDifference, boolean>> = {
    status: now.status !== then.status || now.errorCode !== then.errorCode,
    path: pathOf(now) !== pathOf(then),
    findings: changed.length > 0,
    pages: pages !== null && pages.length > 0,
  };
  const differences = (Object.keys(differs) as TrialDifference[]).filter((name) => differs[name]);
  return { differences, changed, changedPages: pages };
}
