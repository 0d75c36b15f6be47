/** What a task gets beside its parameters. Everything it writes goes into `workDir`. */
export interface TaskTools {
  workDir: string;
  progress: (progress: TaskProgress) => void;
}
export interface TaskProgress {
  /** What is being done: a code the caller has words for. */
  phase: string;
  done: number;
  total: number;
}

export interface PdfInput {
  /** PDF on disk, absolute. */
  path: string;
  password?: string;
}

/** One kind of work, done in the child; parameters and result are plain JSON. */
export type Task<Params, Result> = (params: Params, tools: TaskTools) => Promise<Result>;
