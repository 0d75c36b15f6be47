import type { Session, SessionFile, SessionFinding, SessionStep } from '@pdf2press/contract';
import type { FileVersion } from '../viewer/page-source.ts';

type Steps = Pick<Session, 'steps' | 'files'>;

const isPicture = ({ kind }: SessionFile): boolean => kind.endsWith('Thumbnails');
const isPdf = ({ mediaType }: SessionFile): boolean => mediaType === 'application/pdf';

/** The files that a step created, without thumbnails. */
export const madeBy = ({ files }: Steps, step: Pick<SessionStep, 'id'>): readonly SessionFile[] =>
  files.filter((file) => file.stepRunId === step.id && !isPicture(file));

/** The PDF that a step read: the newest one created by earlier steps of its run, else the original. */
export function readBy(session: Steps, step: SessionStep): SessionFile | undefined {
  const before = session.steps.slice(0, Math.max(0, session.steps.indexOf(step)));
  const made = before
    .filter(({ runNumber }) => runNumber === step.runNumber)
    .flatMap((earlier) => madeBy(session, earlier))
    .filter((file) => file.kind === 'ProductionFile' && isPdf(file));
  const came = session.files.filter((file) => file.kind === 'OriginalFile');
  // A replaced file is kept beside its replacement.
  const inTime = came.filter((file) => !step.startedAt || file.createdAt <= step.startedAt);
  return made.at(-1) ?? inTime.at(-1) ?? came[0];
}

/** A version of the file that can be looked at. */
export interface ShownVersion {
  version: FileVersion;
  file: SessionFile;
  /** The step that made it; null for the original. */
  step: SessionStep | null;
}

/** The versions of the newest run, oldest first. Those with the same bytes, as after a rename, are one. */
export function versionsOf(session: Steps): ShownVersion[] {
  const newest = session.steps.at(-1)?.runNumber;
  const original = session.files.findLast((file) => file.kind === 'OriginalFile');
  const made = session.steps
    .filter(({ runNumber }) => runNumber === newest)
    .flatMap((step) =>
      madeBy(session, step)
        .filter((file) => file.kind === 'ProductionFile' && isPdf(file))
        .map((file) => ({ file, step })),
    );
  const isNew = (file: SessionFile, at: number) =>
    [...(original ? [original] : []), ...made.slice(0, at).map((one) => one.file)].every(
      ({ sha256 }) => sha256 !== file.sha256,
    );
  const distinct = made.filter(({ file }, at) => isNew(file, at));
  return [
    ...(original && isPdf(original) ? [{ version: 'original', file: original, step: null }] : []),
    ...distinct.map((one, at) => ({ ...one, version: at === distinct.length - 1 ? 'production' : one.file.id })),
  ];
}

/** The steps of the newest run that made another PDF after the one with these bytes; none where it is not of this run. */
export function changedAfter(session: Steps, sha256: string): readonly SessionStep[] {
  const versions = versionsOf(session);
  const at = versions.findIndex(({ file }) => file.sha256 === sha256);
  return at < 0 ? [] : versions.slice(at + 1).flatMap(({ step }) => step ?? []);
}

/** The version that the newest preflight of the run read: the one that the findings of the session are about. */
export function checkedVersion(session: Steps): FileVersion {
  const newest = session.steps.at(-1)?.runNumber;
  const check = session.steps.findLast(({ runNumber, findings }) => runNumber === newest && findings !== null);
  return check ? versionOf(session, { stepRunId: check.id }) : 'original';
}

/** The file version whose coordinates a finding uses. */
export function versionOf(session: Steps, { stepRunId }: Pick<SessionFinding, 'stepRunId'>): FileVersion {
  const step = session.steps.find(({ id }) => id === stepRunId);
  const read = step && readBy(session, step);
  return versionsOf(session).find(({ file }) => file.sha256 === read?.sha256)?.version ?? 'original';
}
