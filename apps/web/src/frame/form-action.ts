/** The purposes of a form route; any other word in the address gives "not found". */
export const formActions = ['new', 'edit', 'copy', 'view'] as const;
export type FormAction = (typeof formActions)[number];

/** The action of the address, if the screen supports it. */
export const readAction = (text: string | undefined, known: readonly FormAction[] = formActions): FormAction | null =>
  known.find((action) => action === text) ?? null;
