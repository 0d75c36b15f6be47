const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const maxBytes = 180;

/**
 * A name that is safe to show and to save under on every system; it is never used as a path here. NFC, without control and
 * direction characters, separators, leading dots and what Windows refuses; at most 180 bytes, the extension kept.
 */
export function cleanFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).pop() ?? '';
  const plain = last
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const safe = reserved.test(plain) ? `_${plain}` : plain;
  const dot = safe.lastIndexOf('.');
  const extension = dot > 0 && safe.length - dot <= 12 ? safe.slice(dot) : '';
  let stem = [...(extension ? safe.slice(0, dot) : safe)];
  while (Buffer.byteLength(stem.join('') + extension) > maxBytes) stem = stem.slice(0, -1);
  return stem.join('') + extension || 'file';
}
