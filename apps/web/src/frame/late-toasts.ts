/** Milliseconds: without a toast, what shows toasts is loaded after the page, so that it does not delay it. */
const patience = 4_000;

/** To be called with every toast: it waits in its store until what shows it is there. */
export let needToasts: () => void = () => undefined;
export const whenToastsAreNeeded = new Promise<void>((resolve) => {
  needToasts = resolve;
  setTimeout(resolve, patience);
});
