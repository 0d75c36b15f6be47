/** Layers that are processing steps (ISO 19593-1): what a press does not print, such as cutting and creasing. */
import {
  isArray,
  isDict,
  isName,
  isRef,
  isString,
  type PdfDict,
  type PdfEditor,
  type PdfFile,
  pdfDict,
  pdfName,
  pdfRef,
  pdfText,
  pdfTextString,
} from '@pdf2press/pdf';

export interface ProcessingStep {
  group: string;
  type: string;
}

/** Whether the file says that it keeps a standard without layers: PDF/X-1a and PDF/X-3. */
export function isWithoutLayers({ info, entry }: PdfFile): boolean {
  const version = info && entry(info, 'GTS_PDFXVersion');
  return isString(version ?? null) && /^PDF\/X-[13]/.test(pdfText((version as { bytes: Uint8Array }).bytes));
}

/**
 * A layer of this name and step: the file's own, or a new one.
 * @returns its object number
 */
export function stepLayer(edit: PdfEditor, name: string, step: ProcessingStep): number {
  const { file } = edit;
  const properties = file.entry(file.catalog, 'OCProperties');
  const known = isDict(properties)
    ? groupsOf(file, properties).find((num) => isStep(file, num, name, step))
    : undefined;
  if (known !== undefined) return known;
  const layer = edit.add(
    pdfDict({
      Type: pdfName('OCG'),
      Name: pdfTextString(name),
      GTS_Metadata: pdfDict({
        GTS_ProcStepsGroup: pdfName(step.group),
        GTS_ProcStepsType: pdfName(step.type),
      }),
    }),
  );
  edit.putCatalog('OCProperties', withLayer(file, isDict(properties) ? properties : null, layer, name));
  // Layers came with PDF 1.5.
  if (Number(file.version) < 1.5) edit.setVersion('1.5');
  return layer;
}

function groupsOf(file: PdfFile, properties: PdfDict): number[] {
  const list = file.entry(properties, 'OCGs');
  return isArray(list) ? list.flatMap((entry) => (isRef(entry) ? [entry.num] : [])) : [];
}

function isStep(file: PdfFile, num: number, name: string, step: ProcessingStep): boolean {
  const group = file.get(num);
  if (!isDict(group)) return false;
  const [own, metadata] = [file.entry(group, 'Name'), file.entry(group, 'GTS_Metadata')];
  return (
    isString(own) &&
    pdfText(own.bytes) === name &&
    isDict(metadata) &&
    isName(file.entry(metadata, 'GTS_ProcStepsGroup'), step.group) &&
    isName(file.entry(metadata, 'GTS_ProcStepsType'), step.type)
  );
}

/** The document's layers and one more, which is shown and listed. */
function withLayer(file: PdfFile, properties: PdfDict | null, layer: number, name: string): PdfDict {
  const found = properties ? file.entry(properties, 'D') : null;
  const config = isDict(found) ? found : pdfDict({ Name: pdfTextString(name) });
  const added = (dict: PdfDict | null, key: string) => {
    const list = dict ? file.entry(dict, key) : null;
    return [...(isArray(list) ? list : []), pdfRef(layer)];
  };
  const shown = pdfDict({ ON: added(config, 'ON'), Order: added(config, 'Order') }, config);
  return pdfDict({ OCGs: added(properties, 'OCGs'), D: shown }, properties);
}
