export function UploadCenter() {
  return null;
}
