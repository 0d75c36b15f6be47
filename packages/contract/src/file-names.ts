/** Bytes of a name in UTF-8: file systems take 255, and a version or a copy's number may still be added elsewhere. */
const maxNameBytes = 200;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Names of devices, which Windows takes with any extension: "Naming Files, Paths, and Namespaces" of its documentation. */
const reserved = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]|conin\$|conout\$)\s*(\.|$)/iu;

/** Controls, invisible and direction characters, lone surrogates, line and paragraph separators. */
const removed = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const forbidden = /[/\\<>:"|?*]/g;
const trimmed = (text: string): string => text.replace(/^[.\s]+/, '').replace(/[.\s]+$/, '');

/** The extension of a file's name with its dot; empty where there is none. */
export const extensionOf = (name: string): string => /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';

/**
 * The part of a name before its extension, made safe everywhere: NFC, nothing invisible, no separators or characters that
 * Windows forbids, no dots or blanks at its ends, no name of a device; with the ending at most `maxNameBytes` in UTF-8.
 * Empty when nothing is left.
 * @param ending what follows it: a version, the extension
 */
export function cleanStem(text: string, ending: string): string {
  const plain = trimmed(text.replace(removed, '').normalize('NFC').replace(forbidden, '_'));
  const safe = reserved.test(plain) ? `_${plain}` : plain;
  let room = maxNameBytes - bytesOf(ending);
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter().segment(safe)) {
    room -= bytesOf(segment);
    if (room < 0) break;
    end = index + segment.length;
  }
  const cut = trimmed(safe.slice(0, end));
  return reserved.test(cut) ? `_${cut}` : cut;
}

/**
 * A whole name made safe in the same way, to show and to save under; it is never used as a path here. Only what follows the
 * last separator counts; `file` when nothing is left.
 */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).pop() ?? '';
  const plain = trimmed(last.replace(removed, '').normalize('NFC'));
  const extension = extensionOf(plain);
  return (cleanStem(plain.slice(0, plain.length - extension.length), extension) || 'file') + extension;
}

/**
 * The same names, each changed by a number where an earlier one is the same: ` (2)` before the extension. Compared as file
 * systems do that make no difference between capitals.
 */
export function uniqueFileNames(names: readonly string[]): string[] {
  const key = (name: string) => name.normalize('NFC').toLowerCase();
  const taken = new Set<string>();
  return names.map((name) => {
    const extension = extensionOf(name);
    const stem = name.slice(0, name.length - extension.length);
    let free = name;
    for (let number = 2; taken.has(key(free)); number += 1) free = `${stem} (${number})${extension}`;
    taken.add(key(free));
    return free;
  });
}
