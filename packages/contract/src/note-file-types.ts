/** So many files are attached to one note, and to all notes of a proof. */
export const mostNoteFiles = 5;
export const mostProofFiles = 50;
/** Bytes of a file that is attached to a note: what mail servers commonly let through, so that it can be passed on. */
export const mostNoteFileBytes = 10 * 1024 * 1024;

/**
 * What may be attached to a note, by how its bytes begin; the first that fits counts. Of a PDF the beginning may follow some
 * bytes of another kind (ISO 32000-1, annex H.3.4.1), but not what begins an archive, a program or a page.
 */
export const noteFileTypes = [
  { type: 'PNG', mediaType: 'image/png', extensions: ['.png'], begins: /^\x89PNG\r\n/ },
  { type: 'JPEG', mediaType: 'image/jpeg', extensions: ['.jpg', '.jpeg'], begins: /^\xff\xd8\xff/ },
  { type: 'TIFF', mediaType: 'image/tiff', extensions: ['.tif', '.tiff'], begins: /^(II\*\0|MM\0\*)/ },
  { type: 'WebP', mediaType: 'image/webp', extensions: ['.webp'], begins: /^RIFF[\s\S]{4}WEBP/ },
  {
    type: 'PDF',
    mediaType: 'application/pdf',
    extensions: ['.pdf'],
    begins: /^(?!PK|MZ|\x7fELF|\s*<)[\s\S]{0,1019}%PDF-/,
  },
] as const;
/** So many bytes decide what a file is. */
export const noteFileHeadBytes = 1024;

/** The media type of a file whose first bytes and whose name say the same; undefined for what may not be attached. */
export function noteFileTypeOf(name: string, head: Uint8Array): string | undefined {
  const text = String.fromCharCode(...head.subarray(0, noteFileHeadBytes));
  const type = noteFileTypes.find(({ begins }) => begins.test(text));
  return type?.extensions.some((extension) => name.toLowerCase().endsWith(extension)) ? type.mediaType : undefined;
}
