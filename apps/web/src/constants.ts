/** Constants of the app's appearance and behaviour that users rely on. CSS pixels and milliseconds. */

export const appTitle = 'pdf2press';

/** Below this width the navigation is an overlay; from this width on the visitor's layout applies. */
export const overlayBreakpoint = 976;
export const scrollToTopThreshold = 200;
export const horizontalPopoverOffset = 4;
export const horizontalTransition = 'slide-y-reverse';

/** A token with less time left than this is renewed before a call. */
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

export const defaultPrimary = '#0d9494';
