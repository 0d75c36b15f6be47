import { drive_v3 } from 'googleapis/build/src/apis/drive/v3.js';
import { z } from 'zod';
import { bytesOf, failureKeeper, statusOf } from './answers.ts';
import type { CloudChange, CloudClient, CloudEntry, CloudPlace } from './client.ts';
import { sendPieces } from './send-pieces.ts';
import type { SignedIn } from './signed-in.ts';

const folderType = 'application/vnd.google-apps.folder';
const fields = 'id,name,mimeType,parents,trashed,size,headRevisionId,md5Checksum,modifiedTime';
const pageSize = 1000;
/** Shared drives are seen by requests that say so only. */
const everywhere = { supportsAllDrives: true } as const;
const listed = { ...everywhere, includeItemsFromAllDrives: true } as const;

function entryOf(file: drive_v3.Schema$File, driveId: string): CloudEntry {
  const isFolder = file.mimeType === folderType;
  const revision = file.headRevisionId ?? file.md5Checksum ?? '';
  return {
    id: file.id ?? '',
    driveId,
    parentId: file.parents?.[0] ?? '',
    name: file.name ?? '',
    // Documents of Google's editors and shortcuts have no bytes of their own.
    kind: isFolder ? 'folder' : revision === '' ? 'other' : 'file',
    revision,
    size: Number(file.size ?? 0),
    modifiedAt: new Date(file.modifiedTime ?? 0),
    md5: file.md5Checksum ?? undefined,
  };
}

/** A text in a question (…/drive/api/guides/search-files). */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const storedSchema = z.object({ id: z.string() });

const changeOf = ({ fileId, file }: drive_v3.Schema$Change): CloudChange[] =>
  fileId ? [{ id: fileId, parentId: file?.parents?.[0] }] : [];

/** Drive, version 3: developers.google.com/workspace/drive/api/reference/rest/v3 */
export function googleDrive(access: SignedIn): CloudClient {
  const { ask, keep } = failureKeeper();
  const drive = new drive_v3.Drive({
    rootUrl: `${access.endpoint ?? 'https://www.googleapis.com'}/`,
    // It is tried again by the next poll, which keeps to what the service asks for.
    retry: false,
    fetchImplementation: (address: string | URL | Request, init?: RequestInit) =>
      keep(access.fetch(String(address), init ?? {})) as Promise<Response>,
  });
  const inDrive = (driveId: string) => (driveId === '' ? {} : { driveId });

  async function find(driveId: string, id: string): Promise<CloudEntry | undefined> {
    try {
      const { data } = await ask(() => drive.files.get({ fileId: id, fields, ...everywhere }));
      return data.trashed ? undefined : entryOf(data, driveId);
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  const root = access.endpoint ?? 'https://www.googleapis.com';

  return {
    account: async () => {
      const { data } = await ask(() => drive.about.get({ fields: 'user(displayName,emailAddress)' }));
      return data.user?.emailAddress ?? data.user?.displayName ?? '';
    },
    drives: async () => {
      const { data } = await ask(() => drive.drives.list({ pageSize: 100 }));
      const shared = (data.drives ?? []).map(({ id, name }) => ({ id: id ?? '', name: name ?? '', rootId: id ?? '' }));
      return [{ id: '', name: '', rootId: 'root' }, ...shared];
    },
    children: async ({ driveId, folderId }: CloudPlace, page) => {
      const { data } = await ask(() =>
        drive.files.list({
          q: `'${folderId}' in parents and trashed = false`,
          fields: `nextPageToken,files(${fields})`,
          pageSize,
          ...listed,
          ...(driveId !== '' && { driveId, corpora: 'drive' }),
          ...(page !== undefined && { pageToken: page }),
        }),
      );
      return { rows: (data.files ?? []).map((file) => entryOf(file, driveId)), next: data.nextPageToken ?? undefined };
    },
    find,
    newCursor: async (driveId) => {
      const { data } = await ask(() => drive.changes.getStartPageToken({ ...everywhere, ...inDrive(driveId) }));
      return data.startPageToken ?? '';
    },
    changes: async (driveId, cursor) => {
      try {
        const { data } = await ask(() =>
          drive.changes.list({
            pageToken: cursor,
            fields: 'nextPageToken,newStartPageToken,changes(fileId,file(parents))',
            pageSize,
            ...listed,
            ...inDrive(driveId),
          }),
        );
        return {
          rows: (data.changes ?? []).flatMap(changeOf),
          next: data.nextPageToken ?? undefined,
          cursor: data.newStartPageToken ?? undefined,
        };
      } catch (error) {
        // A token that means nothing to it is an invalid value.
        if ([400, 404, 410].includes(statusOf(error))) return undefined;
        throw error;
      }
    },
    read: async (file, from) => {
      const response = await access.fetch(`${root}/drive/v3/files/${file.id}?alt=media&supportsAllDrives=true`, {
        headers: { range: `bytes=${from}-` },
      });
      return bytesOf(response, from);
    },
    move: async (file, folderId) => {
      const parents = { addParents: folderId, ...(file.parentId !== '' && { removeParents: file.parentId }) };
      await ask(() => drive.files.update({ fileId: file.id, ...parents, ...everywhere }));
    },
    remove: async (file) => {
      await ask(() => drive.files.update({ fileId: file.id, requestBody: { trashed: true }, ...everywhere }));
    },
    makeFolder: async ({ folderId }, name) => {
      const requestBody = { name, mimeType: folderType, parents: [folderId] };
      const { data } = await ask(() => drive.files.create({ requestBody, fields: 'id', ...everywhere }));
      return data.id ?? '';
    },
    named: async ({ driveId, folderId }, name) => {
      const { data } = await ask(() =>
        drive.files.list({
          q: `${quoted(folderId)} in parents and name = ${quoted(name)} and trashed = false`,
          fields: `files(${fields})`,
          pageSize: 1,
          ...listed,
          ...(driveId !== '' && { driveId, corpora: 'drive' }),
        }),
      );
      const [file] = data.files ?? [];
      return file && entryOf(file, driveId);
    },
    upload: async ({ driveId, folderId }, file) => {
      const { name, size, mediaType } = file;
      const begun = await access.fetch(`${root}/upload/drive/v3/files?uploadType=resumable&supportsAllDrives=true`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=UTF-8',
          'x-upload-content-type': mediaType,
          'x-upload-content-length': String(size),
        },
        body: JSON.stringify({ name, mimeType: mediaType, parents: [folderId] }),
      });
      await begun.body?.cancel();
      const address = begun.headers.get('location');
      if (!begun.ok || address === null) throw new Error(`the service answers ${begun.status} to a new upload`);
      const { id } = await sendPieces(access, address, file, storedSchema);
      const stored = await find(driveId, id);
      if (!stored) throw new Error('the service does not find what was stored');
      return stored;
    },
    rename: async (file, name) => {
      await ask(() => drive.files.update({ fileId: file.id, requestBody: { name }, ...everywhere }));
      return true;
    },
  };
}
