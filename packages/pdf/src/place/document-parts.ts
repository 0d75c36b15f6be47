import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isRef, type PdfDict, type PdfValue } from '../open/values.ts';
import type { ObjectCopier } from '../write/copy-objects.ts';
import type { PdfWriter } from '../write/pdf-writer.ts';
import { entriesText, nameText, textStringText } from '../write/value-text.ts';

/** An open source file and the copier from it to the output. */
export interface SourceFile {
  file: PdfFile;
  copier: ObjectCopier;
}

/** The output intents of the first file that has any, because a sheet is printed under one condition. */
export function outputIntents(sources: readonly SourceFile[]): string {
  for (const { file, copier } of sources) {
    const intents = file.entry(file.catalog, 'OutputIntents');
    if (isArray(intents) && intents.length > 0) return `/OutputIntents[${intents.map(copier.text).join(' ')}]`;
  }
  return '';
}

const lists = ['ON', 'OFF', 'Locked', 'AS', 'RBGroups', 'Order'] as const;
const listKeys: ReadonlySet<string> = new Set(lists);

/**
 * Optional content of all sources and of the imposition itself in one configuration (ISO 32000-1, 8.11.4). A single
 * source keeps everything, including alternate configurations. For several sources the default configurations are
 * merged: lists are concatenated, and a BaseState of OFF is replaced by listing its layers in /OFF.
 */
export function optionalContent(sources: readonly SourceFile[], own: readonly number[]): string {
  const found = sources.flatMap(({ file, copier }) => {
    const properties = file.entry(file.catalog, 'OCProperties');
    return isDict(properties) ? [{ file, copier, properties }] : [];
  });
  if (found.length === 0 && own.length === 0) return '';
  const ownRefs = own.map((num) => `${num} 0 R`);
  const groups = found.flatMap(({ file, copier, properties }) =>
    arrayOf(file, properties.map.get('OCGs')).map(copier.text),
  );
  const joined = new Map<string, string[]>(lists.map((key) => [key, []]));
  let rest = '';
  let configurations = '';
  found.forEach(({ file, copier, properties }, index) => {
    const config = file.entry(properties, 'D');
    if (!isDict(config)) return;
    for (const key of lists) joined.get(key)?.push(...arrayOf(file, config.map.get(key)).map(copier.text));
    const isOff = nameOf(file.entry(config, 'BaseState')) === 'OFF' && found.length > 1;
    if (isOff) joined.get('OFF')?.push(...offByBase(file, properties, config).map(copier.text));
    if (index === 0) {
      const without = found.length > 1 ? new Set([...listKeys, 'BaseState']) : listKeys;
      rest = entriesText(config, copier.reference, without);
      if (found.length === 1 && properties.map.has('Configs'))
        configurations = `/Configs ${copier.text(properties.map.get('Configs') ?? null)}`;
    }
  });
  joined.get('ON')?.push(...ownRefs);
  joined.get('Order')?.push(...ownRefs);
  const written = lists.flatMap((key) => {
    const entries = joined.get(key) ?? [];
    return entries.length > 0 ? [`/${key}[${entries.join(' ')}]`] : [];
  });
  return `/OCProperties<</OCGs[${[...groups, ...ownRefs].join(' ')}]/D<<${rest}${written.join('')}>>${configurations}>>`;
}

const nameOf = (value: PdfValue): string | null =>
  typeof value === 'object' && value !== null && 'name' in value ? value.name : null;
const arrayOf = (file: PdfFile, value: PdfValue | undefined): readonly PdfValue[] => {
  const resolved = file.resolve(value);
  return isArray(resolved) ? resolved : [];
};

/** The groups that a BaseState of OFF hides: all that are not in /ON. */
function offByBase(file: PdfFile, properties: PdfDict, config: PdfDict): PdfValue[] {
  const on = new Set(arrayOf(file, config.map.get('ON')).flatMap((entry) => (isRef(entry) ? [entry.num] : [])));
  return arrayOf(file, properties.map.get('OCGs')).filter((entry) => isRef(entry) && !on.has(entry.num));
}

/**
 * The Info dictionary: some entries of the first file, and the producer. Without dates, so that equal jobs give equal
 * bytes.
 */
export function infoText(source: SourceFile | undefined, producer: string): string {
  const kept = ['Title', 'Author', 'Subject', 'Trapped'].flatMap((key) => {
    const value = source?.file.info && source.file.entry(source.file.info, key);
    return value ? [`${nameText(key)} ${source.copier.text(value)}`] : [];
  });
  return `<<${kept.join('')}/Producer ${textStringText(producer)}>>`;
}

/**
 * Writes an optional content group that declares a processing step (ISO 19593-1).
 * @returns its object number
 */
export function writeTechnicalLayer(writer: PdfWriter, name: string, step: { group: string; type: string }): number {
  const num = writer.reserve();
  writer.object(
    num,
    `<</Type/OCG/Name ${textStringText(name)}/GTS_Metadata<</GTS_ProcStepsGroup ${nameText(step.group)}/GTS_ProcStepsType ${nameText(step.type)}>>>>`,
  );
  return num;
}
