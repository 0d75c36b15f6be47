/** Imposes PDFs. Only the child process of packages/tasks imports it; other rooms run a task. */
export { type ImposeOutput, type ImposeResult, impose } from './produce/impose.ts';
