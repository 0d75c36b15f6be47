import { fileTypeOf, isSidecarName, ProblemError, type WorkflowSummary } from '@pdf2press/contract';

export type Takes = WorkflowSummary['takes'];

const baseOf = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase();
const typeOf = (file: File) => fileTypeOf(file.name) ?? (file.type === 'application/pdf' ? 'PDF' : undefined);
/** The file beside another that holds its values: the same name but for the extension. */
const sidecarOf = (file: File, files: readonly File[]): File | undefined =>
  files.find((other) => isSidecarName(other.name) && baseOf(other.name) === baseOf(file.name));

/** Whether a file holds values for one that is submitted with it, and is no session of its own. */
export const isSidecar = (file: File, files: readonly File[], takes: Takes | undefined): boolean =>
  takes?.sidecars === true &&
  isSidecarName(file.name) &&
  files.some((other) => typeOf(other) !== undefined && baseOf(other.name) === baseOf(file.name));

/** Why a workflow does not take a file, as a code of the sentences; null where it does, as far as names tell. */
export function typeFault(file: File, takes: Takes | undefined): string | null {
  const type = typeOf(file);
  if (takes && !takes.uploads) return 'workflow.wayOff';
  if (!type) return 'file.notPdf';
  return takes && !takes.types.includes(type) ? 'file.typeNotAccepted' : null;
}

/** Whether somebody has to give required values, or names, files of values and packages may bring them. */
export const asksRequired = (name: string, good: readonly File[], takes: Takes): boolean =>
  !takes.sidecars &&
  !takes.named.includes(name) &&
  (good.length === 0 || good.some((file) => typeOf(file) !== 'ZIP' || takes.zips === 'document'));

/**
 * The values in the files beside those that are submitted, as JSON, by the file that they are for.
 * @throws ProblemError `sidecar.tooLarge`, `sidecar.invalid`
 */
export async function readSidecars(
  good: readonly File[],
  all: readonly File[],
  { takes, variables }: Pick<WorkflowSummary, 'takes' | 'variables'>,
): Promise<ReadonlyMap<File, string>> {
  const read = new Map<File, string>();
  if (!takes.sidecars) return read;
  const { readSidecar } = await import('@pdf2press/steps/inject');
  for (const file of good) {
    const beside = sidecarOf(file, all);
    if (!beside) continue;
    const values = readSidecar({ name: beside.name, text: await beside.text() }, variables);
    read.set(file, JSON.stringify(values));
  }
  return read;
}

/** The code and the parameters of what is wrong with a file of values. */
export const problemOf = (error: unknown) => (error instanceof ProblemError ? error.problems[0] : undefined);
