/**
 * The file types that workflows can take: PDFs, the images that the injection step converts to PDF, and ZIPs, whose files it
 * unpacks. Which of them a workflow takes is a setting of its injection step.
 */
export const acceptedFileTypes = [
  { type: 'PDF', mediaType: 'application/pdf', extensions: ['.pdf'] },
  { type: 'JPEG', mediaType: 'image/jpeg', extensions: ['.jpg', '.jpeg'] },
  { type: 'PNG', mediaType: 'image/png', extensions: ['.png'] },
  { type: 'TIFF', mediaType: 'image/tiff', extensions: ['.tif', '.tiff'] },
  { type: 'ZIP', mediaType: 'application/zip', extensions: ['.zip'] },
] as const;
export type FileType = (typeof acceptedFileTypes)[number]['type'];
export const fileTypes = acceptedFileTypes.map(({ type }) => type) as [FileType, ...FileType[]];
/** What a workflow takes unless its injection step says otherwise. */
export const usualFileTypes: readonly FileType[] = ['PDF', 'JPEG', 'PNG', 'TIFF'];

/** The type that a file's name says it is; undefined for any other name. Its content is looked at when a workflow opens it. */
export function fileTypeOf(fileName: string): FileType | undefined {
  const name = fileName.toLowerCase();
  return acceptedFileTypes.find(({ extensions }) => extensions.some((extension) => name.endsWith(extension)))?.type;
}

/** Files that hold values for the variables of the file beside them. */
export const sidecarExtensions = ['.json', '.xml', '.csv'] as const;
/** Bytes of a sidecar: one is a page of values, never a document. */
export const maxSidecarBytes = 64 * 1024;

/** Whether a file of this name can hold values for the file beside it. */
export const isSidecarName = (fileName: string): boolean =>
  sidecarExtensions.some((extension) => fileName.toLowerCase().endsWith(extension));
