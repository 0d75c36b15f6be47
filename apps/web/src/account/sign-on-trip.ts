const key = 'pdf2press.signOn';

/** Stands in the kept query where the trip links an account instead of signing somebody in. */
export const linkMark = 'links';

/** Keeps the query of the sign-in page in this tab while the person is at the other service. */
export const keepForReturn = (search: URLSearchParams): void => sessionStorage.setItem(key, search.toString());

/** What was kept. */
export const readKept = (): URLSearchParams => new URLSearchParams(sessionStorage.getItem(key) ?? '');

export const forgetKept = (): void => sessionStorage.removeItem(key);
