/** Only paths of this app are accepted as `returnTo`. */
export const safePath = (path: string | null): string => (path && /^\/(?![/\\])/.test(path) ? path : '/');
