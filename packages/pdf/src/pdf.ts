/** The door of the room: one page, one object, one colour. Only here does the product meet a PDF or colour engine. */
export * from './open/values.ts';
export type * from './interpret/types.ts';
export * from './colour/colour-service.ts';
export * from './colour/ink-names.ts';
export * from './colour/profile-facts.ts';
export * from './colour/shipped-profiles.ts';
