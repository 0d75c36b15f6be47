/**
 * The door `@pdf2press/pdf/limited`: runs work on untrusted files in child processes with limits. It does not load
 * MuPDF. The side of the child is the door `@pdf2press/pdf/serve-limited`, which loads nothing that starts processes.
 */
export { type ChildrenMemory, readChildrenMemory } from './child-memory.ts';
export { childFlags, childSettings } from './child-settings.ts';
export { isolationLevel } from './isolation.ts';
export { type Gap, gapsOf, type IsolationLevel, isAtLeast, isolationLevels } from './levels.ts';
export { defaultLimits, heavyLimits, type Limits } from './limits.ts';
export { type LimitedWork, runLimited } from './run-limited.ts';
