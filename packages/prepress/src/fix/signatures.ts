import {
  isArray,
  isDict,
  isName,
  isRef,
  type PdfEditor,
  type PdfFile,
  type PdfValue,
  pdfDict,
  pdfName,
} from '@pdf2press/pdf';

/** Signed signature fields: object numbers of their dictionaries (fix specification I11). */
function signedFields(file: PdfFile): number[] {
  const form = file.entry(file.catalog, 'AcroForm');
  const found: number[] = [];
  const seen = new Set<number>();
  const visit = (value: PdfValue, inherited: PdfValue): void => {
    const num = isRef(value) ? value.num : 0;
    const field = file.resolve(value);
    if (!isDict(field) || seen.has(num)) return;
    if (num) seen.add(num);
    const type = file.entry(field, 'FT') ?? inherited;
    if (isName(type, 'Sig') && isDict(file.entry(field, 'V')) && num) found.push(num);
    const kids = file.entry(field, 'Kids');
    if (isArray(kids)) for (const kid of kids) visit(kid, type);
  };
  const fields = isDict(form) ? file.entry(form, 'Fields') : null;
  if (isArray(fields)) for (const field of fields) visit(field, null);
  return found;
}

export const signatureCount = (file: PdfFile): number => signedFields(file).length;

/**
 * Any change ends a signature. What it looks like stays on the page as a stamp; value, field and certification go, for an
 * emptied signature field is drawn by viewers as they like.
 */
export function stripSignatures(edit: PdfEditor): void {
  const { file } = edit;
  const gone = new Set(signedFields(file));
  for (const num of gone) {
    const field = file.get(num);
    edit.put(num, 'V', undefined);
    if (!isDict(field) || !isName(field.map.get('Subtype'), 'Widget')) continue;
    edit.put(num, 'Subtype', pdfName('Stamp'));
    for (const key of ['FT', 'T', 'Ff', 'DA', 'DR', 'MK', 'Lock', 'SV']) edit.put(num, key, undefined);
  }
  if (file.catalog.map.has('Perms')) edit.putCatalog('Perms', undefined);
  const form = file.catalog.map.get('AcroForm');
  const dict = file.resolve(form);
  if (!isDict(dict)) return;
  const fields = file.entry(dict, 'Fields');
  const kept = isArray(fields) ? fields.filter((field) => !(isRef(field) && gone.has(field.num))) : [];
  const changed = pdfDict({ Fields: kept, SigFlags: undefined }, { ...dict, stream: 0 });
  if (kept.length === 0) edit.putCatalog('AcroForm', undefined);
  else if (isRef(form)) edit.set(form.num, changed);
  else edit.putCatalog('AcroForm', changed);
}
