import { acceptedFileTypes } from '@pdf2press/contract';

/** File types that the dialog offers, for the `accept` attribute: PDF, and images, which the workflow converts to PDF. */
export const fileTypes = acceptedFileTypes.flatMap(({ mediaType, extensions }) => [mediaType, ...extensions]).join(',');
