import type { TaskName } from './table.ts';

/**
 * Tasks that take less time than loading the modules of all tasks does, and need MuPDF for few files only. They have a
 * program of their own: bundled with the others, their modules lie in three times as many files.
 */
export const quickTasks = ['impose', 'inspect'] as const satisfies readonly TaskName[];
export type QuickTask = (typeof quickTasks)[number];
