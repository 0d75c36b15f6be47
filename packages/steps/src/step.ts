import type {
  CheckResult,
  ErrorParams,
  FileFault,
  FileKind,
  Finding,
  MessageFiles,
  ResultLevel,
  SessionSource,
  SessionStatus,
  StepKind,
  VariableValues,
} from '@pdf2press/contract';
import type { z } from 'zod';

/**
 * What a kind of step is: known to the builder, the API and the engine, and free of how it runs or looks.
 * `outcomes` are the ports its edges leave by; a kind without any ends the session.
 */
export interface StepContract<
  K extends StepKind = StepKind,
  S extends z.ZodType = z.ZodType,
  O extends string = string,
> {
  kind: K;
  /** Grows when `run` reads its settings or input another way; a worker takes only versions it has. */
  version: number;
  settings: S;
  outcomes: readonly O[];
  /** Kind of the profile named by `settings.profileId`, if it needs one. */
  profile?: 'preflight' | 'fix' | 'impose' | 'proofing' | 'communication' | 'retention' | 'archiving' | 'renaming';
  /** `label`, `help`, and for each setting `settings.<name>`. */
  messages: MessageFiles;
}

export const stepContract = <const K extends StepKind, S extends z.ZodType, const O extends string = never>(
  contract: StepContract<K, S, O>,
): StepContract<K, S, O> => contract;

/** A profile as it was when the workflow was published. */
export interface ProfileSnapshot {
  id: string;
  kind: string;
  name: string;
  version: number;
  settings: Record<string, unknown>;
}

/** A file the step may read, on this machine. */
export interface StepInput {
  id: string;
  /** Absolute; read only. */
  path: string;
  name: string;
  mediaType: string;
  sha256: string;
  /** Bytes. */
  size: number;
}

/** A file the step made in its work directory; it becomes visible with the step's result, or never. */
export interface StepFile {
  /** A `ProductionFile` is what the following steps work on. */
  kind: Exclude<FileKind, 'OriginalFile'>;
  /** Below the work directory. */
  path: string;
  name: string;
  mediaType: string;
  /** From 1, for pictures of pages. */
  page?: number;
  meta?: Record<string, unknown>;
  /** Path of another file of this step that this one is about; its id becomes `meta.of`. */
  ofPath?: string;
}

export interface StepContext<S = unknown> {
  settings: S;
  step: { id: string; kind: StepKind; name: string };
  session: {
    id: string;
    subscriberId: string;
    runNo: number;
    fileName: string;
    source: SessionSource;
    sourceName: string;
    createdAt: Date;
    /** Level of the newest preflight of this run. */
    result: ResultLevel | null;
    errorCount: number;
    warningCount: number;
    variables: VariableValues;
    rerouteCount: number;
  };
  workflow: { id: string; name: string; version: number };
  /** The file as it is now. */
  file: StepInput;
  /** The file as it came. */
  original: Omit<StepInput, 'path'>;
  profile?: ProfileSnapshot;
  /** The newest JSON file of this run whose `meta.role` is this; undefined when no step made one. */
  readMade(role: string): Promise<unknown>;
  /** Exists, is empty and is this attempt's alone. */
  workDir: string;
  /** Aborted when the session is stopped or the step belongs to someone else by now. */
  signal: AbortSignal;
}

/** What a step leaves behind, whichever way it ends. */
export interface StepYield {
  files?: StepFile[];
  findings?: Finding[];
  checks?: CheckResult[];
  /** How it went; the session's result follows those of preflight steps. */
  level?: ResultLevel;
  variables?: VariableValues;
  pageCount?: number;
  /** Small facts for the session's page. */
  summary?: Record<string, unknown>;
}

/** Leaves by a port. */
export interface StepDone<O extends string> extends StepYield {
  end: 'outcome';
  outcome: O;
}

/** Waits for a person or a time, without costing a slot; the decision becomes the outcome. */
export interface StepWaits<O extends string> extends StepYield {
  end: 'wait';
  wait: {
    kind: 'hold' | 'proof' | 'timer';
    /** Decisions that are open; each is an outcome, or a command the engine knows (`cancel`). */
    allowed: readonly (O | 'cancel')[];
    data?: Record<string, unknown>;
    /** When `onDue` is decided by itself. */
    dueAt?: Date;
    onDue?: O | 'cancel';
  };
}

/** Ends the session. */
export interface StepEnds extends StepYield {
  end: 'session';
  status: Extract<
    SessionStatus,
    'Completed' | 'CompletedWithWarnings' | 'Failed' | 'CanceledByUser' | 'CanceledByOperator' | 'Rerouted'
  >;
}

/**
 * Ends the session as failed, with what there is to read about it: thrown errors leave nothing behind. The same step on the
 * same file would fail the same way, so it is not tried again.
 */
export interface StepFails extends StepYield {
  end: 'failure';
  failure: { code: FileFault; params: ErrorParams };
}

export type StepResult<O extends string = string> = [O] extends [never]
  ? StepEnds
  : StepDone<O> | StepWaits<O> | StepEnds | StepFails;
