/** Whether a program can map the codes of a composite font to glyphs without resources of its own (ISO 19005-2, 6.2.11.3). */
import { arrayOf, dictOf, type Font, isDict, isName, type PdfDict, type PdfFile, textOf } from '@pdf2press/pdf';

/** CMaps that every program has: the ending of their names, and their families (ISO 32000-1, table 118). */
const predefined =
  /^(Identity|GB-EUC|GBpc-EUC|GBK-EUC|GBKp-EUC|GBK2K|UniGB-UCS2|UniGB-UTF16|B5pc|HKscs-B5|ETen-B5|ETenms-B5|CNS-EUC|UniCNS-UCS2|UniCNS-UTF16|83pv-RKSJ|90ms-RKSJ|90msp-RKSJ|90pv-RKSJ|Add-RKSJ|EUC|Ext-RKSJ|UniJIS-UCS2|UniJIS-UCS2-HW|UniJIS-UTF16|KSC-EUC|KSCms-UHC|KSCms-UHC-HW|KSCpc-EUC|UniKS-UCS2|UniKS-UTF16)-[HV]$|^[HV]$/;

/** What is missing or does not fit: an entry of the font; null when the mapping is complete. */
export function mappingFault(file: PdfFile, font: Font): string | null {
  if (!font.isComposite) return null;
  const [first] = arrayOf(file, font.dict, 'DescendantFonts');
  const inner = file.resolve(first);
  if (!isDict(inner)) return 'DescendantFonts';
  if (isName(file.entry(inner, 'Subtype'), 'CIDFontType2') && font.isEmbedded && !inner.map.has('CIDToGIDMap'))
    return 'CIDToGIDMap';
  const encoding = file.entry(font.dict, 'Encoding');
  if (isName(encoding)) return predefined.test(encoding.name) ? null : 'Encoding';
  if (!isDict(encoding)) return 'Encoding';
  const base = file.entry(encoding, 'UseCMap');
  if (isName(base) && !predefined.test(base.name)) return 'UseCMap';
  return isSameSystem(file, encoding, inner) ? null : 'CIDSystemInfo';
}

/** CMap and font must number the characters alike. */
function isSameSystem(file: PdfFile, map: PdfDict, font: PdfDict): boolean {
  const [ofMap, ofFont] = [map, font].map((dict) => dictOf(file, dict, 'CIDSystemInfo'));
  return ['Registry', 'Ordering'].every((key) => textOf(file, ofMap, key) === textOf(file, ofFont, key));
}
