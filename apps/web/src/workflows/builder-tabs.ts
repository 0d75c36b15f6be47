/** The ways to look at a workflow; the chosen one stands in the address. */
export const builderTabs = ['edit', 'list', 'live'] as const;
export type BuilderTab = (typeof builderTabs)[number];
