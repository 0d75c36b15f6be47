/* The door `@pdf2press/steps/inject`: what an injection step says of a file before there is a session of it. */
import {
  fileTypeOf,
  problem,
  type Sidecar,
  type WayIn,
  type WorkflowDefinition,
  type WorkflowSummary,
  type WorkflowVariable,
} from '@pdf2press/contract';
import { namesIn } from '@pdf2press/settings';
import { type InjectSettings, injectContract } from './contract.ts';
import { matchName } from './name-pattern.ts';
import { readSidecar } from './sidecar.ts';

export { readSidecar };

/** The settings of a workflow's injection step; of one that has none that can be read, the defaults. */
export function injectSettingsOf({ steps }: Pick<WorkflowDefinition, 'steps'>): InjectSettings {
  const step = steps.find(({ kind }) => kind === 'Inject');
  const read = injectContract.settings.safeParse(step?.settings ?? {});
  return read.success ? read.data : injectContract.settings.parse({});
}

/** What a workflow takes from people who upload files, and what they need not be asked for. */
export function takesOf(definition: WorkflowDefinition): WorkflowSummary['takes'] {
  const { ways, fileTypes, zips, takesSidecars, namePattern } = injectSettingsOf(definition);
  return { uploads: ways.manual, types: fileTypes, zips, sidecars: takesSidecars, named: namesIn(namePattern) };
}

interface Entering {
  settings: InjectSettings;
  variables: readonly WorkflowVariable[];
  /** Undefined for a part of a file that has come in already. */
  way?: WayIn;
  fileName: string;
  /** Values that came with the delivery. */
  given: Readonly<Record<string, unknown>>;
  sidecar?: Sidecar | undefined;
}

interface Entered {
  /** What is said of the one file counts more than what is said of the whole delivery: sidecar, name, then what was given. */
  values: Readonly<Record<string, unknown>>;
  /** A ZIP of which each file becomes a session: names, sidecars and required values are asked of the files in it. */
  isPackage: boolean;
  hasOtherName: boolean;
}

/** Whether a file's name says a type that the workflow does not take; the content of all others is looked at by the step. */
const isRefusedType = (settings: InjectSettings, fileName: string): boolean => {
  const type = fileTypeOf(fileName);
  return type !== undefined && !settings.fileTypes.includes(type);
};

/** Whether a file is a ZIP of which each file becomes a session. */
const isPackage = ({ zips }: InjectSettings, fileName: string): boolean =>
  zips === 'sessions' && fileTypeOf(fileName) === 'ZIP';

/** The values that a file's name gives, and whether a session of it is held for its name. */
export function valuesOfName(
  settings: InjectSettings,
  fileName: string,
  variables: readonly WorkflowVariable[],
): { values: Readonly<Record<string, string>>; fits: boolean; isHeld: boolean } {
  const { namePattern, onOtherName } = settings;
  if (namePattern === '' || isPackage(settings, fileName)) return { values: {}, fits: true, isHeld: false };
  const named = matchName(namePattern, fileName, variables);
  return { values: named ?? {}, fits: named !== null, isHeld: !named && onOtherName === 'hold' };
}

/**
 * Applies an injection step's rules to a file that comes in.
 * @throws ProblemError `workflow.wayOff`, `file.typeNotAccepted`, `file.nameNotAccepted`, `sidecar.*`
 */
export function enter({ settings, variables, way, fileName, given, sidecar }: Entering): Entered {
  if (way && !settings.ways[way]) throw problem('workflow.wayOff', { way });
  if (isRefusedType(settings, fileName))
    throw problem('file.typeNotAccepted', { types: settings.fileTypes.join(', ') }, 'file');
  if (sidecar && !settings.takesSidecars) throw problem('sidecar.notTaken', {}, 'sidecar');
  const told = sidecar ? readSidecar(sidecar, variables) : {};
  const named = valuesOfName(settings, fileName, variables);
  if (!named.fits && settings.onOtherName === 'refuse')
    throw problem('file.nameNotAccepted', { pattern: settings.namePattern }, 'file');
  return {
    values: { ...given, ...named.values, ...told },
    isPackage: isPackage(settings, fileName),
    hasOtherName: named.isHeld,
  };
}
