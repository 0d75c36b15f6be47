import type { WireError } from '@pdf2press/contract';

interface Facts {
  /** `network`: no answer; `signedOut`: the token is no longer valid, which another toast has already said. */
  kind: 'network' | 'server' | 'signedOut';
  status?: number;
  errors?: readonly WireError[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
}

/** A failed call. Its messages come from the server in the reader's language. */
export class CallError extends Error {
  readonly kind: Facts['kind'];
  readonly status: number;
  readonly errors: readonly WireError[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  constructor(facts: Facts, options?: ErrorOptions) {
    super(facts.errors?.map((error) => error.code).join(', ') || facts.kind, options);
    this.name = 'CallError';
    this.kind = facts.kind;
    this.status = facts.status ?? 0;
    this.errors = facts.errors ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
  has(code: string): boolean {
    return this.errors.some((error) => error.code === code);
  }
}

/**
 * The sentence for a failure: the messages of all errors joined; the network sentence without an answer; the sentence
 * for unknown errors without a message.
 */
export function failureText(error: unknown, t: (key: string) => string): string {
  if (error instanceof CallError) {
    if (error.kind === 'network') return t('error.network');
    const joined = error.errors
      .map((one) => one.message)
      .filter(Boolean)
      .join(' ');
    return joined || t('error.unknown');
  }
  return (error instanceof Error && error.message) || t('error.unknown');
}
