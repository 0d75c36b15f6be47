import { contractMessages, type Locale, sentence } from '@pdf2press/contract';

/** As the effect stores it: a code, the HTTP status of an answer that refused, and what was said. */
const stored = /^([A-Z]+(?:_[A-Z]+)+)(?: (\d{3})(?= |$))?(?: (.*))?$/s;

/**
 * Why a call of a web address did not succeed, in the reader's language.
 * @param lastError as the effect stores it; what it says in other words is given as it is
 * @param url where the call went
 */
export function callProblem(lastError: string | null, url: string, locale: Locale): string | null {
  const [, code = '', status = '', text = ''] = stored.exec(lastError ?? '') ?? [];
  if (!Object.hasOwn(contractMessages.en, code)) return lastError;
  return sentence(contractMessages, locale, code, { to: new URL(url).host, status, text }).trim();
}
