/** The door of the room: one page, one object, one colour. Only here does the product meet a PDF or colour engine. */
export type { BoxArray, BoxName, EffectiveBoxes, RawBoxes } from './open/boxes.ts';
export { type Budgets, defaultBudgets } from './open/budgets.ts';
export type { Encryption, Permissions } from './open/encryption.ts';
export { type OpenOptions, openPdf, type PageFacts, type PdfFile } from './open/pdf-file.ts';
export type { Structure, StructureProblem } from './open/structure.ts';
export { filterNames } from './open/streams.ts';
export { pdfText } from './open/text-string.ts';
export * from './open/values.ts';
export type * from './interpret/types.ts';
