/** The specification's constants for the web app (§1, §9), in one place; each has a test. Pixels and milliseconds. */

export const appTitle = 'pdf2press';

/** Below this width navigation is an overlay; from it on the visitor's own layout stands. */
export const overlayBreakpoint = 976;
export const scrollToTopThreshold = 200;
export const horizontalPopoverOffset = 4;
export const horizontalTransition = 'slide-y-reverse';

export const cookieMaxAgeDays = 30;
export const cookiePath = '/';

/** A token that lives shorter than this is exchanged before a call. */
export const tokenRefreshThresholdSeconds = 10;

export const toast = {
  autoClose: 5000,
  position: 'top-right',
  clearsOnNavigation: false,
  closesOnClick: false,
} as const;

export const captchaBadge = { position: 'bottomleft', isHidden: true } as const;

export const masonry = { debounce: 100, transitionSeconds: 0.4 } as const;

export const retentionWindowDays = 30;
export const signatureMultiple = 4;

export const defaultPrimary = '#0d9494';
export const defaultCulture = 'en-US';
export const defaultSmtp = { port: 0, enableSsl: true } as const;
