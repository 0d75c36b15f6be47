/** Layers that are processing steps: cutting, creasing, varnish (ISO 19593-1). */
import { arrayOf, dictOf, nameOf } from '../open/pdf-access.ts';
import type { PdfFile } from '../open/pdf-file.ts';
import { isDict, type PdfValue } from '../open/values.ts';
import type { Layers } from './types.ts';

/** `Group/Type` of a layer that is a processing step; null for other layers. */
function stepOf(file: PdfFile, layer: PdfValue): string | null {
  const metadata = isDict(layer) ? dictOf(file, layer, 'GTS_Metadata') : null;
  const name = nameOf(file, metadata, 'GTS_ProcStepsGroup');
  return name ? `${name}/${nameOf(file, metadata, 'GTS_ProcStepsType') ?? ''}` : null;
}

/** `Group/Type` of the layer with this object number; null for one that is no processing step. */
export const stepOfLayer = (file: PdfFile, object: number): string | null => stepOf(file, file.get(object));

/** `Group/Type` of every layer of the document that is a processing step. */
export const processingSteps = (file: PdfFile): string[] =>
  arrayOf(file, dictOf(file, file.catalog, 'OCProperties'), 'OCGs').flatMap(
    (value) => stepOf(file, file.resolve(value)) ?? [],
  );

/** `Group/Type` of the processing steps that content on these layers belongs to. */
export const processingStepsOf = (file: PdfFile, { objects }: Layers): string[] =>
  objects.flatMap((object) => (object === 0 ? [] : (stepOf(file, file.get(object)) ?? [])));
