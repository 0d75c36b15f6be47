/** The ways to look at a workflow; the chosen one stands in the address. */
const builderTabs = ['edit', 'list', 'test', 'live'] as const;
export type BuilderTab = (typeof builderTabs)[number];

/** Whoever only looks at a workflow tries no drafts of it. */
export const openTabs = (isReadOnly: boolean): readonly BuilderTab[] =>
  builderTabs.filter((tab) => tab !== 'test' || !isReadOnly);
