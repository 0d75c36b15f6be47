/** Layers that are processing steps: cutting, creasing, varnish (ISO 19593-1). */
import { arrayOf, dictOf, isDict, type Layers, nameOf, type PdfFile, type PdfValue } from '@pdf2press/pdf';

/** `Group/Type` of a layer that is a processing step; null for other layers. */
function stepOf(file: PdfFile, layer: PdfValue): string | null {
  const metadata = isDict(layer) ? dictOf(file, layer, 'GTS_Metadata') : null;
  const name = nameOf(file, metadata, 'GTS_ProcStepsGroup');
  return name ? `${name}/${nameOf(file, metadata, 'GTS_ProcStepsType') ?? ''}` : null;
}

/** `Group/Type` of every layer of the document that is a processing step. */
export const processingSteps = (file: PdfFile): string[] =>
  arrayOf(file, dictOf(file, file.catalog, 'OCProperties'), 'OCGs').flatMap(
    (value) => stepOf(file, file.resolve(value)) ?? [],
  );

/** Whether content on these layers belongs to a processing step. */
export const isProcessingStep = (file: PdfFile, { objects }: Layers): boolean =>
  objects.some((object) => object !== 0 && stepOf(file, file.get(object)) !== null);
