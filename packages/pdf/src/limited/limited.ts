/**
 * The door `@pdf2press/pdf/limited`: work on untrusted bytes in a child process that cannot hurt its parent.
 * Nothing here loads a PDF engine.
 */
export { type IsolationLevel, isolationLevel } from './isolation.ts';
export { defaultLimits, heavyLimits, type Limits } from './limits.ts';
export { type LimitedWork, runLimited } from './run-limited.ts';
export { type ChildTools, serveLimited } from './serve-limited.ts';
