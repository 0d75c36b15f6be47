import type { PdfFile } from '../open/pdf-file.ts';
import { isArray, isDict, isName, type PdfDict, type PdfValue } from '../open/values.ts';
import { walkFields, walkNameTree } from './trees.ts';

/** Actions one after another (/Next); longer chains are circles. */
const maxChain = 50;

/** Whether the document carries JavaScript anywhere a viewer would run it. */
export function hasJavaScript(file: PdfFile): boolean {
  let found = false;
  const names = file.entry(file.catalog, 'Names');
  if (isDict(names)) {
    walkNameTree(file, file.entry(names, 'JavaScript'), () => {
      found = true;
    });
  }
  found ||= isScript(file, file.entry(file.catalog, 'OpenAction'), 0) || hasTrigger(file, file.catalog);
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
  return isScript(file, file.entry(dict, 'A'), 0) || hasTrigger(file, dict);
}

/** /AA: actions by event. */
function hasTrigger(file: PdfFile, dict: PdfDict): boolean {
  const actions = file.entry(dict, 'AA');
  return isDict(actions) && [...actions.map.values()].some((action) => isScript(file, file.resolve(action), 0));
}

function isScript(file: PdfFile, action: PdfValue, depth: number): boolean {
  if (!isDict(action) || depth > maxChain) return false;
  if (isName(file.entry(action, 'S'), 'JavaScript')) return true;
  const next = file.entry(action, 'Next');
  const following = isArray(next) ? next.map((entry) => file.resolve(entry)) : [next];
  return following.slice(0, maxChain).some((entry) => isScript(file, entry, depth + 1));
}
