/** What a task gets besides its parameters. It writes only into `workDir`. */
export interface TaskTools {
  workDir: string;
  progress: (progress: TaskProgress) => void;
  /** Tells a result that stands when what is left to do fails, however it fails. */
  keep: (result: unknown) => void;
}
export interface TaskProgress {
  /** Code of the present phase; the caller has the text. */
  phase: string;
  done: number;
  total: number;
}

export interface PdfInput {
  /** Absolute path of the PDF. */
  path: string;
  password?: string;
}

/** A function that runs in the child process; parameters and result are plain JSON. */
export type Task<Params, Result> = (params: Params, tools: TaskTools) => Promise<Result>;
