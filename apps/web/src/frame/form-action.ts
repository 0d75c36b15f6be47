/** What a form route is for (design §4.0); anything else is not found. */
export const formActions = ['new', 'edit', 'copy', 'view'] as const;
export type FormAction = (typeof formActions)[number];

/** The action of the address, when the screen knows it. */
export const readAction = (text: string | undefined, known: readonly FormAction[] = formActions): FormAction | null =>
  known.find((action) => action === text) ?? null;
