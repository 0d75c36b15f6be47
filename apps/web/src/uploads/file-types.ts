/** What a dialog offers to choose: PDFs, and pictures, which become PDFs in the workflow. */
export const fileTypes = 'application/pdf,.pdf,image/jpeg,image/png,image/tiff';
