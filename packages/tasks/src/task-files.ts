import { dirname } from 'node:path';
import type { TaskName, TaskTable } from './table.ts';

/** What a task needs of the file system besides its work directory; where the system allows, it sees nothing else. */
export interface TaskFiles {
  reads: (string | null | undefined)[];
  /** Folders. */
  writes: string[];
}

const onlyPath = ({ path }: { path: string }): TaskFiles => ({ reads: [path], writes: [] });
const pathAndOut = ({ path, out }: { path: string; out: string }): TaskFiles => ({
  reads: [path],
  // Written under another name first, so it needs the folder.
  writes: [dirname(out)],
});

/**
 * The parameters of a task that are paths. They are named one by one: values from people, which other parameters hold,
 * must open no file.
 */
const taskFiles: { readonly [K in TaskName]: (params: TaskTable[K]['params']) => TaskFiles } = {
  attachment: onlyPath,
  certificate: ({ path, recordPath, house }) => ({ reads: [path, recordPath, house.logoPath], writes: [] }),
  fix: ({ path, out, fonts = [] }) => ({ reads: [path, ...fonts], writes: [dirname(out)] }),
  font: onlyPath,
  impose: ({ inputs, dieFile }) => ({ reads: [...inputs.map(({ path }) => path), dieFile], writes: [] }),
  inspect: onlyPath,
  logo: pathAndOut,
  merge: ({ inputs }) => ({ reads: inputs.map(({ path }) => path), writes: [] }),
  notes: ({ path, notesPath }) => ({ reads: [path, notesPath], writes: [] }),
  pictureCopy: onlyPath,
  plates: ({ path, press }) => ({ reads: [path, press?.startsWith('/') ? press : null], writes: [] }),
  preflight: ({ path, before }) => ({
    reads: [path, typeof before?.path === 'string' ? before.path : null],
    writes: [],
  }),
  render: onlyPath,
  report: ({ path, reportPath, house, fixReportPaths = [], sheetsPath }) => ({
    reads: [path, reportPath, house?.logoPath, ...fixReportPaths, sheetsPath],
    writes: [],
  }),
  split: onlyPath,
  thumbnails: onlyPath,
  tiles: onlyPath,
  unlock: pathAndOut,
  unzip: onlyPath,
};

/** The files that a task with these parameters may read, and the folders that it may write to. */
export function filesOf<K extends TaskName>(
  task: K,
  params: TaskTable[K]['params'],
): { reads: string[]; writes: string[] } {
  const { reads, writes } = taskFiles[task](params);
  return { reads: reads.filter((path) => typeof path === 'string'), writes };
}
