import type {
  Arrival,
  CheckResult,
  ErrorParams,
  FileFault,
  FileKind,
  Finding,
  FindingTotals,
  HoldAnswer,
  Locale,
  MessageFiles,
  ProofProfile,
  ResultLevel,
  SessionPart,
  SessionSource,
  SessionStatus,
  SettingIssue,
  Sidecar,
  StepKind,
  StepKindRules,
  VariableValues,
  WorkflowVariable,
} from '@pdf2press/contract';
import type { Reader, RuleNames } from '@pdf2press/settings';
import type { z } from 'zod';
import type { DeliveryRequest, MessageRequest, WebhookRequest } from './requests.ts';

/** What the settings of a step may name. */
export interface WorkflowNames extends RuleNames {
  variables: readonly WorkflowVariable[];
  /** Ids of the workflow's steps. */
  stepIds: ReadonlySet<string>;
}

/** Parts of the builder's palette, in the order they stand there. */
export const stepGroups = ['start', 'prepress', 'decision', 'people', 'files', 'end'] as const;
export type StepGroup = (typeof stepGroups)[number];

/**
 * Everything that the builder, the API and the engine know about a kind of step: what the rules ask, how it looks in the
 * palette, and its words. Free of how it runs. A kind without outcomes ends the session.
 */
export interface StepContract<
  K extends StepKind = StepKind,
  S extends z.ZodObject = z.ZodObject,
  O extends string = string,
> extends StepKindRules {
  kind: K;
  /** Grows when `run` reads its settings or input another way; a worker takes only versions it has. */
  version: number;
  settings: S;
  outcomes: readonly O[];
  /**
   * What is wrong with settings that fit their schema: rules and names, which need to know the workflow's variables. Asked
   * before publishing, and by the builder.
   */
  check?(settings: z.output<S>, names: WorkflowNames): readonly SettingIssue[];
  /**
   * What is wrong with the profile that a step uses, besides what its schema tells: names that the workflow lacks, people
   * who are gone. Asked before publishing, where the profile is known. `field` is a setting of the step.
   */
  checkProfile?(
    profile: Readonly<Record<string, unknown>>,
    about: {
      settings: Readonly<Record<string, unknown>>;
      variables: readonly WorkflowVariable[];
      /** People and roles that exist. */
      assigneeIds: ReadonlySet<string>;
    },
  ): readonly SettingIssue[];
  /**
   * Of a kind that waits for people or is felt outside (a message, a call, a delivery): what the step of a trial goes on by
   * instead. `answers` are outcomes, or `cancel`; whoever begins the trial chooses, else it is the first. `isNotRun` keeps
   * the runner from being called at all; a step that only waits is run, and its wait is answered.
   */
  inTrials?: { answers: readonly [string, ...string[]]; isNotRun?: true };
  /** Path data of one stroked line drawing on a grid of 24 × 24, line width 1.8, round ends. */
  icon: string;
  group: StepGroup;
  /** Settings whose values the step's summary holds as they were filled in, and the session's page shows. */
  tells?: readonly string[];
  /** Its steps ask for effects and run again when these have ended. */
  asksForEffects?: boolean;
  /**
   * `label`; `help`, one sentence for the palette; `outcomes.<outcome>` for each fixed port; for each setting
   * `settings.<name>`, where it helps `settings.<name>.hint`, and for each choice `settings.<name>.<choice>`.
   */
  messages: MessageFiles;
}

/** Declares a kind. `isRunnable: false` says that no runner exists yet, and is checked against the table of runners. */
export const stepContract = <
  const K extends StepKind,
  S extends z.ZodObject,
  const O extends string = never,
  const R extends boolean = true,
>(
  contract: StepContract<K, S, O> & { isRunnable?: R },
): StepContract<K, S, O> & { isRunnable?: R } => contract;

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

/** A font of the print house's library, on this machine. */
export interface StepFont {
  id: string;
  postScriptName: string;
  /** Absolute; read only. */
  path: string;
}

/** What is known around a session beside its own row. */
export interface SessionAround {
  /** Of this installation; null where the process does not know it. */
  app: { title: string; baseUrl: string } | null;
  parentId: string | null;
  finishedAt: Date | null;
  organization: { id: string; name: string; color: string | null } | null;
  /** Who began the session, where that was somebody with an account. */
  user: { name: string; email: string } | null;
  /** How many files have come in for the session, those that were replaced included. */
  fileVersion: number;
  /** The newest hold, open or over. */
  hold: { reason: string; by: string; since: Date } | null;
}

/** Running numbers of a workflow. */
export interface WorkflowCounters {
  /** Never begins again. */
  total: number;
  /** Begins again with each day of the print house. */
  daily: number;
}
export interface Counters extends WorkflowCounters {
  /** Of all workflows of the print house together; never begins again. */
  all: number;
}
/** What counts: the workflow, or the print house. */
export type CounterKind = 'workflow' | 'house';

/** A production file of the run. */
export interface MadeFile extends Omit<StepInput, 'path'> {
  /** Of the step, in the workflow, that made it. */
  stepId: string;
}

/** Work outside that a step asks for. It is done once the step's row is written, at least once, and the step waits for it. */
export type StepEffect =
  | { kind: 'webhook'; payload: WebhookRequest }
  | { kind: 'mail'; payload: MessageRequest }
  | { kind: 'delivery'; payload: DeliveryRequest };

/** How the work that a step asked for ended. */
export interface EffectOutcome {
  effect: StepEffect;
  isDone: boolean;
  /** Of what was done: what the effect kept of the answer. Of what was given up: `EffectRefusal`, if the effect knows more. */
  answer: unknown;
  /** Why it was given up, in the words of the other side. */
  error: string | null;
  /** How often it was tried. */
  tries: number;
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
    /** How the file came in, in this run: a warning where files of a ZIP were left out, or it came before. */
    arrivalResult: ResultLevel | null;
    errorCount: number;
    warningCount: number;
    variables: VariableValues;
    rerouteCount: number;
    /** As counted by the newest step that opened the PDF. */
    pageCount: number | null;
    /** The step of this run that ended last. */
    previous: { outcome: string | null; result: ResultLevel | null };
    /** Names of the original file and of this run's production files, but for the file as it is now. */
    otherFileNames: readonly string[];
    /** How its file came, beside its source. */
    arrival: Arrival;
  };
  workflow: { id: string; name: string; version: number; variables: readonly WorkflowVariable[] };
  /** How texts that no person asked for show values: the print house's language, unit and time zone. */
  reader: Reader;
  /** When the step began, by the clock of Postgres. */
  now: Date;
  /** The file as it is now. */
  file: StepInput;
  /** The file as it came. */
  original: Omit<StepInput, 'path'>;
  profile?: ProfileSnapshot;
  /** The newest JSON file of this run whose `meta.role` is this; undefined when no step made one. */
  readMade(role: string): Promise<unknown>;
  /**
   * The newest JSON file that this step made in a role for the file that came before the one it works on now; undefined
   * when no other came.
   */
  readMadeBefore(role: string): Promise<unknown>;
  readAround(): Promise<SessionAround>;
  /** The next running numbers of these kinds; the same for every attempt of the step. Null where there are none to show. */
  takeCounters(kinds: readonly CounterKind[]): Promise<Partial<Counters> | null>;
  /** The production files of the run, the oldest first. */
  readFiles(): Promise<readonly MadeFile[]>;
  /** The files that steps of the run made in a role (`meta.role`), the oldest first. */
  findMade(role: string): Promise<readonly MadeFile[]>;
  /**
   * Does work with the fonts of the library that bear any of the names, as a PDF writes them. Names are asked for only if
   * the library has fonts.
   */
  withFonts<T>(names: () => Promise<readonly string[]>, work: (fonts: readonly StepFont[]) => Promise<T>): Promise<T>;
  /** Notes that fonts of the library were embedded. */
  noteFontsUsed(ids: readonly string[]): Promise<void>;
  /** What became of the effects that this step asked for, in that order; undefined as long as it has asked for none. */
  outcomes?: readonly EffectOutcome[];
  /** Exists, is empty and is this attempt's alone. */
  workDir: string;
  /** Aborted when the session is stopped or the step belongs to someone else by now. */
  signal: AbortSignal;
}

/** What a session's facts are made from: of a step that runs, or of one that is thought of at a place in the session. */
export type KnownOfSession = Pick<
  StepContext,
  'step' | 'session' | 'workflow' | 'reader' | 'original' | 'readMade' | 'readAround' | 'takeCounters'
> & {
  file: Omit<StepInput, 'path'>;
};

/** A file that the session was for, by its id, and its name for whoever takes it home. */
export interface ResultFile {
  id: string;
  name: string;
}

/** What steps decide for later, kept with the session. */
export interface SessionDecisions {
  /** Profile of the messages that are sent from now on. */
  communicationProfileId?: string;
  /** How long files are to be kept: days, 0 = without a limit. */
  retention?: {
    daysSource: number;
    daysFinal: number;
    start: 'completed' | 'created' | 'lastTouched';
    isLegalHold: boolean;
  };
  /** The files that the session was for. */
  result?: readonly ResultFile[];
}

/** Sends the session's file on: a new session begins in another workflow, in the transaction that ends this one. */
export interface Reroute {
  workflowId: string;
  /** The file as it came, or as it is now. */
  file: 'original' | 'current';
  carriesVariables: boolean;
}

/** What a step leaves behind, whichever way it ends. */
export interface StepYield {
  files?: StepFile[];
  /** New name of the file as it is now: it goes on as a production file with the same bytes, which are not copied. */
  renamedTo?: string;
  /** New name of the file as it came, until the next run begins. */
  originalRenamedTo?: string;
  findings?: Finding[];
  /** How many were found by severity, also those that are not in the list. */
  counts?: FindingTotals;
  checks?: CheckResult[];
  /** How it went; the session's result follows those of preflight steps. */
  level?: ResultLevel;
  variables?: VariableValues;
  /** What is decided for the rest of the session; a later decision of the same name replaces it. */
  decisions?: SessionDecisions;
  pageCount?: number;
  /** Small facts for the session's page. */
  summary?: Record<string, unknown>;
}

/** Leaves by a port. */
export interface StepDone<O extends string> extends StepYield {
  end: 'outcome';
  outcome: O;
}

/** What recipients are asked about a file. The engine finds the people of the house, and writes to everybody. */
export interface ProofRequest {
  profileName: string;
  settings: ProofProfile;
  recipients: readonly (({ email: string; name: string } | { assigneeId: string }) & { isGatekeeper: boolean })[];
  /** Of people without an account. */
  locale: Locale;
  /** What recipients are told; null = no deadline. */
  dueAt: Date | null;
}

/** Waits for a person or a time, without costing a slot; the decision becomes the outcome. */
export interface StepWaits<O extends string> extends StepYield {
  end: 'wait';
  wait: {
    kind: 'hold' | 'proof' | 'timer';
    /** What people may do; each is an outcome, or a command of the engine. */
    allowed: readonly (O | HoldAnswer)[];
    /** Where the step leaves when it is continued, if it has no port of that name. */
    leavesBy?: O;
    data?: Record<string, unknown>;
    /** Whose decision it is: the id of a person or a role. */
    assigneeId?: string;
    /** When `onDue` is decided by itself. */
    dueAt?: Date;
    onDue?: O | 'cancel';
    /** When the assignee is reminded. */
    remindAt?: Date;
    /** When it becomes somebody else's decision. */
    escalation?: { at: Date; to: string };
    /** Of kind `proof`: what is asked, and of whom. */
    proof?: ProofRequest;
  };
}

/** Waits, without costing a slot, until effects have ended; then the step runs again and finds their outcomes. */
export interface StepAsks<O extends string = string>
  extends Pick<StepYield, 'summary'>,
    Readonly<Partial<Record<Exclude<keyof StepYield, 'summary'>, never>>> {
  end: 'effects';
  /** Where the step leaves when all goes well: in a trial nothing is asked for, and it leaves there at once. */
  expected: O;
  effects: readonly StepEffect[];
}

/**
 * A part of the session's file that goes on in a session of its own: in the same version of the workflow, begun in the
 * transaction that ends this one.
 */
export interface StepPart {
  /** Below the work directory. */
  path: string;
  name: string;
  mediaType: string;
  from: Omit<SessionPart, 'fileName'>;
  /** Of a file that lay in a ZIP: the one beside it with values for its variables. */
  sidecar?: Sidecar;
}

/** Ends the session. */
export interface StepEnds extends StepYield {
  end: 'session';
  status: Extract<
    SessionStatus,
    'Completed' | 'CompletedWithWarnings' | 'Failed' | 'CanceledByUser' | 'CanceledByOperator' | 'Rerouted'
  >;
  /** With `Rerouted`. */
  reroute?: Reroute;
  /** Carried out once the session has ended; nothing waits for them. */
  effects?: readonly StepEffect[];
  /** What the session's file was divided into. */
  parts?: readonly StepPart[];
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
  ? StepEnds | StepFails
  : StepDone<O> | StepWaits<O> | StepAsks<O> | StepEnds | StepFails;
