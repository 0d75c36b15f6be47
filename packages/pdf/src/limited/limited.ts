/**
 * The door `@pdf2press/pdf/limited`: runs work on untrusted files in child processes with limits. It does not load
 * MuPDF.
 */
export { type ChildrenMemory, readChildrenMemory } from './child-memory.ts';
export { type Gap, gapsOf, type IsolationLevel, isAtLeast, isolationLevel, isolationLevels } from './isolation.ts';
export { defaultLimits, heavyLimits, type Limits } from './limits.ts';
export { type LimitedWork, runLimited } from './run-limited.ts';
export { type ChildTools, serveLimited } from './serve-limited.ts';
