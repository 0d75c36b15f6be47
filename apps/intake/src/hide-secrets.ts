/** The texts within a secret, longest first, as they are and as they are encoded in a URL. */
function textsIn(secret: unknown): string[] {
  if (typeof secret === 'string') return secret === '' ? [] : [secret, encodeURIComponent(secret)];
  if (typeof secret !== 'object' || secret === null) return [];
  return Object.values(secret)
    .flatMap(textsIn)
    .sort((a, b) => b.length - a.length);
}

/**
 * Makes the log entry for an error of a source. Libraries put passwords into messages and whole requests into fields: only
 * type, code, message and stack are kept, without any text of the secret.
 */
export function errorWithout(secret: unknown): (error: unknown) => Record<string, unknown> {
  const texts = textsIn(secret);
  const hide = (text: string) => texts.reduce((rest, hidden) => rest.replaceAll(hidden, '[secret]'), text);
  return (error) => {
    if (!(error instanceof Error)) return { message: hide(String(error)) };
    const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
    return { type: error.name, ...code, message: hide(error.message), stack: hide(error.stack ?? '') };
  };
}
