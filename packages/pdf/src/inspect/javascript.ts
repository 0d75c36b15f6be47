import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfDict, type PdfValue } from '../open/values.ts';
import { walkFields, walkNameTree } from './trees.ts';

/** Limit of actions, because /Next can form long chains and circles. */
const maxActions = 10_000;

/** True when the document has JavaScript in a place where a viewer would execute it (ISO 32000-1, 12.6.4.16). */
export function hasJavaScript(file: PdfFile): boolean {
  let found = false;
  const names = file.entry(file.catalog, 'Names');
  if (isDict(names)) {
    walkNameTree(file, file.entry(names, 'JavaScript'), () => {
      found = true;
    });
  }
  found ||= isScript(file, file.entry(file.catalog, 'OpenAction')) || hasTrigger(file, file.catalog);
  if (found) return true;
  walkFields(file, (field) => {
    found ||= carriesScript(file, field);
  });
  return (
    found ||
    file.pages.some(
      (page) =>
        hasTrigger(file, page.dict) ||
        page.annotations.some((entry) => {
          const annotation = file.resolve(entry);
          return isDict(annotation) && carriesScript(file, annotation);
        }),
    )
  );
}

function carriesScript(file: PdfFile, dict: PdfDict): boolean {
  return isScript(file, file.entry(dict, 'A')) || hasTrigger(file, dict);
}

/** Additional actions (/AA), one per event. */
function hasTrigger(file: PdfFile, dict: PdfDict): boolean {
  const actions = file.entry(dict, 'AA');
  return isDict(actions) && [...actions.map.values()].some((action) => isScript(file, file.resolve(action)));
}

function isScript(file: PdfFile, first: PdfValue): boolean {
  const waiting: PdfValue[] = [first];
  const seen = new Set<PdfValue>();
  for (let action = waiting.pop(); action !== undefined && seen.size < maxActions; action = waiting.pop()) {
    if (!isDict(action) || seen.has(action)) continue;
    seen.add(action);
    if (isName(file.entry(action, 'S'), 'JavaScript')) return true;
    const next = file.entry(action, 'Next');
    for (const entry of isArray(next) ? next.slice(0, maxActions) : [next]) waiting.push(file.resolve(entry));
  }
  return false;
}
