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

/** Object numbers of the signature fields that have a value (ISO 32000-1, 12.7.4.5). */
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

/** Number of signed signature fields in the file. */
export const signatureCount = (file: PdfFile): number => signedFields(file).length;

/**
 * Removes signatures, which any change makes invalid: value, field and certification (Perms). The appearance stays on
 * the page as a stamp annotation, because viewers draw an empty signature field in their own way.
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
