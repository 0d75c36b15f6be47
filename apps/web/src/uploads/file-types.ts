import { acceptedFileTypes, sidecarExtensions } from '@pdf2press/contract';

/** File types that the dialog offers, for the `accept` attribute: what workflows can take. */
export const fileTypes = acceptedFileTypes.flatMap(({ mediaType, extensions }) => [mediaType, ...extensions]).join(',');
/** The same with the files of values that can lie beside one. */
export const filesWithValues = [fileTypes, ...sidecarExtensions].join(',');
