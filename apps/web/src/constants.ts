/**
 * The specification's constants for the web app (§1, §9), in one place; each has a test. Pixels and milliseconds. Those of
 * settings, tokens and sheets stand with what they are about, in the contract, the API and prepress.
 */

export const appTitle = 'pdf2press';

/** Below this width navigation is an overlay; from it on the visitor's own layout stands. */
export const overlayBreakpoint = 976;
export const scrollToTopThreshold = 200;
export const horizontalPopoverOffset = 4;
export const horizontalTransition = 'slide-y-reverse';

/** A token that lives shorter than this is exchanged before a call. */
export const tokenRefreshThresholdSeconds = 10;

export const toast = {
  theme: 'light',
  autoClose: 5000,
  position: 'top-right',
  clearsOnNavigation: false,
  closesOnClick: false,
} as const;

export const captchaBadge = { position: 'bottomleft', isHidden: true } as const;

export const masonry = { debounce: 100, transitionSeconds: 0.4 } as const;

export const retentionWindowDays = 30;

export const defaultPrimary = '#0d9494';
