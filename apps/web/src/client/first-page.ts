/**
 * Set when the page needs no stand-in any more. `early.js`, which shows one for a proof and for a session, uses the same names.
 */
declare global {
  interface Window {
    firstPageIsDrawn?: true;
  }
}

export const firstPageId = 'first-page';

/** Takes away the picture of the first page that was shown while the app was being loaded. */
export function dropFirstPage(): void {
  window.firstPageIsDrawn = true;
  document.getElementById(firstPageId)?.remove();
}
