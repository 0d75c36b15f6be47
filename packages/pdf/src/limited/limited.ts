/**
 * The door `@pdf2press/pdf/limited`: runs work on untrusted files in child processes with limits. It does not load
 * MuPDF.
 */
export { type ChildrenMemory, readChildrenMemory } from './child-memory.ts';
export { isolationLevel } from './isolation.ts';
export { type Gap, gapsOf, type IsolationLevel, isAtLeast, isolationLevels } from './levels.ts';
export { defaultLimits, heavyLimits, type Limits } from './limits.ts';
export { type LimitedWork, runLimited } from './run-limited.ts';
export { type ChildTools, serveLimited } from './serve-limited.ts';
