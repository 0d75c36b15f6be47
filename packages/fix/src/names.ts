/** Door for the usage text of the command line: names of the fixes without loading their contracts. */
export { fixNames } from './fixes/runners.ts';
