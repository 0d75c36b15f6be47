import { isArray, isDict, isName, isRef, type PdfEditor, type PdfFile, type PdfValue } from '@pdf2press/pdf';

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

/** Any change ends a signature: its value and what certifies it go; the field and its look stay. */
export function stripSignatures(edit: PdfEditor): void {
  const { file } = edit;
  for (const num of signedFields(file)) edit.put(num, 'V', undefined);
  if (file.catalog.map.has('Perms')) edit.putCatalog('Perms', undefined);
  const form = file.catalog.map.get('AcroForm');
  if (isRef(form)) edit.put(form.num, 'SigFlags', undefined);
}
