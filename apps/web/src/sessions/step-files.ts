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

/** The file version whose coordinates a finding uses. */
export function versionOf(session: Steps, { stepRunId }: Pick<SessionFinding, 'stepRunId'>): FileVersion {
  const step = session.steps.find(({ id }) => id === stepRunId);
  return step && readBy(session, step)?.kind === 'ProductionFile' ? 'production' : 'original';
}
