import { isIP } from 'node:net';
import type { AllowedHost } from '@pdf2press/mail';

const usualPorts = { http: 80, https: 443 } as const;

/**
 * Reads an entry of `OUTBOUND_ALLOWED_HOSTS`: `mis.local`, `mis.local:8443`, `http://mis.local:8080`, `[fd00::1]:443`. Null
 * for anything else.
 */
export function readAllowedHost(text: string): AllowedHost | null {
  const whole = isIP(text) === 6 ? `[${text}]` : text;
  const match = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_.])?)(?::(\d{1,5}))?$/i.exec(
    whole,
  );
  if (!match) return null;
  const [, scheme, name = '', digits] = match;
  const host = name.replace(/^\[|\]$/g, '').toLowerCase();
  const port = digits === undefined ? null : Number(digits);
  if (port === 0 || (port !== null && port > 65_535) || (name.startsWith('[') && isIP(host) !== 6)) return null;
  return { host, port, scheme: (scheme?.toLowerCase() as 'http' | 'https' | undefined) ?? null };
}

/** Whether the environment allows a call of this address: its host, its scheme and its port. */
export function allowsCall(allowed: readonly AllowedHost[], { protocol, hostname, port }: URL): boolean {
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const at = port === '' ? usualPorts[scheme] : Number(port);
  const name = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return allowed.some(
    (entry) =>
      entry.host === name &&
      (entry.scheme ?? 'https') === scheme &&
      (entry.port ?? usualPorts[entry.scheme ?? 'https']) === at,
  );
}
