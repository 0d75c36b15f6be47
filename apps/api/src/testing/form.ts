const boundary = 'lab-boundary';

/** A multipart body with its headers, because inject() cannot send forms. */
export function form(
  fields: Readonly<Record<string, string>>,
  file?: { name: string; bytes: Uint8Array },
): { body: Buffer; headers: Record<string, string> } {
  const head = (name: string, more = '') =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`);
  const end = Buffer.from('\r\n');
  const parts: Uint8Array[] = Object.entries(fields).flatMap(([name, value]) => [head(name), Buffer.from(value), end]);
  if (file) parts.push(head('file', `; filename="${file.name}"\r\nContent-Type: application/pdf`), file.bytes, end);
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
