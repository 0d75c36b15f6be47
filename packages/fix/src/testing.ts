/** Door for tests of other rooms: fixes test files. */
export { bytesOf, fixedBy, quicklyFixedBy, testDir, writePdf } from './testing/fix-files.ts';
