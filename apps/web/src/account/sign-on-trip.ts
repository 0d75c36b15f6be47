const key = 'pdf2press.signOn';

/** Keeps the query of the sign-in page in this tab while the person is at the other service. */
export const keepForReturn = (search: URLSearchParams): void => sessionStorage.setItem(key, search.toString());

/** What was kept, once. */
export function takeKept(): URLSearchParams {
  const kept = new URLSearchParams(sessionStorage.getItem(key) ?? '');
  sessionStorage.removeItem(key);
  return kept;
}
