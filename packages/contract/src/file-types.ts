/**
 * The file types that the product accepts: PDFs, and the images that the injection step converts to PDF. Uploads, hot
 * folders and the other sources all use this list.
 */
export const acceptedFileTypes = [
  { mediaType: 'application/pdf', extensions: ['.pdf'] },
  { mediaType: 'image/jpeg', extensions: ['.jpg', '.jpeg'] },
  { mediaType: 'image/png', extensions: ['.png'] },
  { mediaType: 'image/tiff', extensions: ['.tif', '.tiff'] },
] as const;

/** Whether a file of this name may be taken. Its content is checked when the workflow opens it. */
export function isAcceptedName(fileName: string): boolean {
  const name = fileName.toLowerCase();
  return acceptedFileTypes.some(({ extensions }) => extensions.some((extension) => name.endsWith(extension)));
}
