/* Exported as `@pdf2press/config/upload-client`: files that are uploaded to a running product, for measurements of any room. */
import http from 'node:http';
import type { Readable } from 'node:stream';

/** A file on its way. */
interface Sent {
  name: string;
  /** Bytes. */
  size: number;
  /** Its bytes; the connection sets their pace. */
  content: Readable;
}

interface Where {
  origin: string;
  /** Where uploads are begun: a path below the origin. */
  path: string;
  /** Of whoever sends; nothing for a stranger. */
  headers?: Readonly<Record<string, string>>;
  /** What is said of the file beside its name. */
  metadata?: Readonly<Record<string, string>>;
}

const base64 = (value: string): string => Buffer.from(value).toString('base64');

/**
 * Uploads a file by the tus protocol in one request. Resolves to its id once all bytes are acknowledged.
 * @throws Error where the product refuses its beginning or its bytes
 */
export async function uploadFile({ origin, path, headers = {}, metadata = {} }: Where, file: Sent): Promise<string> {
  const tus = { ...headers, 'tus-resumable': '1.0.0' };
  const told = Object.entries({ filename: file.name, ...metadata }).map(([key, value]) => `${key} ${base64(value)}`);
  const begun = await fetch(origin + path, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(file.size), 'upload-metadata': told.join(',') },
  });
  const location = begun.headers.get('location');
  if (location === null) throw new Error(`the upload was not begun: ${begun.status} ${await begun.text()}`);
  const status = await new Promise<number>((resolve, reject) => {
    const request = http.request(
      new URL(location, origin),
      {
        method: 'PATCH',
        headers: {
          ...tus,
          'upload-offset': 0,
          'content-type': 'application/offset+octet-stream',
          'content-length': file.size,
        },
      },
      (response) => resolve(response.resume().statusCode ?? 0),
    );
    for (const source of [request, file.content]) source.on('error', reject);
    file.content.pipe(request);
  });
  if (status !== 204) throw new Error(`the upload ended ${status}`);
  return location.split('/').at(-1) ?? '';
}

/** A visit of a public upload page, as a customer's browser makes it. */
export interface UploadVisit {
  /** Resolves to the upload's id. */
  upload(file: Sent): Promise<string>;
  /** The state of the check of an upload: `running`, `done`, `late`, `none`. */
  stateOfCheck(workflowId: string, uploadId: string): Promise<string>;
  /** Submits an upload; it is a session then. */
  send(workflowId: string, uploadId: string): Promise<void>;
}

/**
 * Begins a visit. The product must have `CAPTCHA_PROVIDER=off`.
 * @throws Error where a call is refused
 */
export async function openVisit(origin: string, slug: string): Promise<UploadVisit> {
  const call = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return (JSON.parse(text) as { result: T }).result;
  };
  const { visit } = await call<{ visit: string }>(`/upload-pages/${slug}/visits`, {});
  const path = `/upload-visits/${visit}`;
  return {
    upload: (file) => uploadFile({ origin, path: `/api${path}/files` }, file),
    stateOfCheck: async (workflowId, uploadId) => {
      const asked = { workflowId, files: [uploadId], variables: {} };
      const [check] = await call<{ state: string }[]>(`${path}/checks`, asked);
      return check?.state ?? 'none';
    },
    send: async (workflowId, uploadId) => {
      const sender = { name: 'Bench', email: 'bench@customer.example' };
      const { files } = await call<{ files: { problem: { code: string } | null }[] }>(`${path}/send`, {
        ...sender,
        workflowId,
        files: [uploadId],
        variables: {},
      });
      const [sent] = files;
      if (!sent || sent.problem) throw new Error(`the file was refused: ${sent?.problem?.code}`);
    },
  };
}
