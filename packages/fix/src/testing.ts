/** Door for tests of other rooms: fixes test files. */

/** Fonts as a print house has them, for tests of rooms that open no PDF. */
export { houseFont } from '@pdf2press/pdf/testing';
export { bytesOf, fixedBy, quicklyFixedBy, testDir, writePdf } from './testing/fix-files.ts';
