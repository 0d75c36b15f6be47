/**
 * Milliseconds: what shows toasts would delay the page of a proof, which is measured on phones, so without a toast it is
 * loaded after that page. Elsewhere it is loaded at once: when the network is gone it must be there already.
 */
const patience = globalThis.location?.pathname.startsWith('/client-proofing/') ? 4_000 : 0;

/** To be called with every toast: it waits in its store until what shows it is there. */
export let needToasts: () => void = () => undefined;
export const whenToastsAreNeeded = new Promise<void>((resolve) => {
  needToasts = resolve;
  setTimeout(resolve, patience);
});
