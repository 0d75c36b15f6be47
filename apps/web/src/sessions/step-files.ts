import type { Session, SessionFile, SessionFinding, SessionStep } from '@pdf2press/contract';
import type { FileVersion } from '../viewer/page-source.ts';

type Steps = Pick<Session, 'steps' | 'files'>;

const isPicture = ({ kind }: SessionFile): boolean => kind.endsWith('Thumbnails');
const isPdf = ({ mediaType }: SessionFile): boolean => mediaType === 'application/pdf';

/** What a step made; pictures of pages are none of it. */
export const madeBy = ({ files }: Steps, step: Pick<SessionStep, 'id'>): readonly SessionFile[] =>
  files.filter((file) => file.stepRunId === step.id && !isPicture(file));

/** The PDF that a step worked on: the newest that the steps before it made in its run, else the one that came. */
export function readBy(session: Steps, step: SessionStep): SessionFile | undefined {
  const before = session.steps.slice(0, Math.max(0, session.steps.indexOf(step)));
  const made = before
    .filter(({ runNumber }) => runNumber === step.runNumber)
    .flatMap((earlier) => madeBy(session, earlier))
    .filter((file) => file.kind === 'ProductionFile' && isPdf(file));
  const came = session.files.filter((file) => file.kind === 'OriginalFile');
  // A file that was replaced stays beside the one that took its place.
  const inTime = came.filter((file) => !step.startedAt || file.createdAt <= step.startedAt);
  return made.at(-1) ?? inTime.at(-1) ?? came[0];
}

/** The version of the file in whose coordinates a finding lies. */
export function versionOf(session: Steps, { stepRunId }: Pick<SessionFinding, 'stepRunId'>): FileVersion {
  const step = session.steps.find(({ id }) => id === stepRunId);
  return step && readBy(session, step)?.kind === 'ProductionFile' ? 'production' : 'original';
}
