/** The browser may forbid its storage: what would be kept is gone with the page then. */
function guarded<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** Keeps a value until the tab is closed; null = no longer. */
export const keepInTab = (key: string, value: object | null): void =>
  void guarded(() =>
    value === null ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, JSON.stringify(value)),
  );

/** What is kept in this tab; null = nothing. */
export const readInTab = <T extends object>(key: string): T | null =>
  guarded(() => JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null);
