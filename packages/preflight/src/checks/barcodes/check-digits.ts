/** Check digits that a reader of the symbology does not look at: those of the numbers in it. */

/** Whether the last digit of a GS1 number is right (GS1 General Specifications 7.9.1). */
export function isCheckDigitRight(number: string): boolean {
  const digits = Array.from(number, Number).reverse();
  const sum = digits.reduce((all, digit, at) => all + digit * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** Application identifiers whose value ends in a check digit: SSCC, GTIN, GTIN of what is in it, and GLNs. */
const checkedIdentifiers = /\((00|01|02|410|411|412|413|414|415|416|417)\)(\d{13,18})(?=\(|$)/g;

/** The number with a wrong check digit in what a reader accepted; null when there is none. */
export function wrongNumber(format: string, text: string, isGs1: boolean): string | null {
  // Interleaved 2 of 5 with 14 digits is ITF-14 (GS1 General Specifications 5.3).
  if (format === 'ITF') return /^\d{14}$/.test(text) && !isCheckDigitRight(text) ? text : null;
  if (!isGs1) return null;
  for (const [, , number] of text.matchAll(checkedIdentifiers))
    if (number !== undefined && !isCheckDigitRight(number)) return number;
  return null;
}
