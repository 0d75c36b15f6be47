declare global {
  interface Window {
    /** What early.js and its worker do while the app is being loaded. */
    early?: {
      /** The answer to the call for an access token. */
      tokens: Promise<Response> | null;
      /** The answers to other calls, by address. */
      answers: Record<string, Promise<Response>>;
      /** Fulfilled once a session's first page is on the screen, or will not be. */
      firstPage: Promise<void>;
    };
  }
}

const early = () => (typeof window === 'undefined' ? undefined : window.early);

/** Nothing where no call was made or it came to nothing, so that it is made anew. */
const goodOf = (answer: Promise<Response> | null | undefined): Promise<Response | null> | undefined =>
  answer?.then(
    (response) => (response.ok ? response : null),
    () => null,
  );

/** The answer to the early call for an access token, once. */
export function takeEarlyTokens(): Promise<Response | null> | undefined {
  const calls = early();
  const answer = goodOf(calls?.tokens);
  if (calls) calls.tokens = null;
  return answer;
}

/** The answer to the early call to an address, once. */
export function takeEarlyAnswer(address: string): Promise<Response | null> | undefined {
  const answers = early()?.answers;
  const answer = goodOf(answers?.[address]);
  delete answers?.[address];
  return answer;
}

/** Whoever signs in next must not get what was asked for another person. */
export function dropEarlyAnswers(): void {
  const calls = early();
  if (calls) calls.answers = {};
}
