/** Set when the page needs no stand-in any more; `early.js`, which shows it, uses the same names. */
declare global {
  interface Window {
    firstPageIsDrawn?: true;
  }
}

/** Takes away the picture of the first page that was shown while the app was being loaded. */
export function dropFirstPage(): void {
  window.firstPageIsDrawn = true;
  document.getElementById('first-page')?.remove();
}
