/** A host that the environment allows settings to name although it is on a private network, or to be reached in an unusual way. */
export interface AllowedHost {
  /** In lower case; an IPv6 address without brackets. */
  host: string;
  /** Null = the usual one of the scheme; for mail servers any. */
  port: number | null;
  /** Null = https, and mail servers as well. */
  scheme: 'http' | 'https' | null;
}

/** Whether a setting may name this mail server. */
export const allowsMailServer = (allowed: readonly AllowedHost[], server: { host: string; port: number }): boolean =>
  allowed.some(
    ({ host, port, scheme }) =>
      scheme === null && host === server.host.trim().toLowerCase() && (port === null || port === server.port),
  );
