import path from 'node:path';
import { Client, type GraphRequest } from '@microsoft/microsoft-graph-client';
import { z } from 'zod';
import { bytesOf, failureKeeper, statusOf } from './answers.ts';
import type { CloudChange, CloudClient, CloudDrive, CloudEntry } from './client.ts';
import { sendPieces } from './send-pieces.ts';
import type { SignedIn } from './signed-in.ts';

/* What is read of Graph's answers: learn.microsoft.com/graph/api/resources/driveitem */
const itemSchema = z.object({
  id: z.string(),
  name: z.string().default(''),
  size: z.number().default(0),
  cTag: z.string().optional(),
  lastModifiedDateTime: z.string().optional(),
  parentReference: z.object({ id: z.string().optional() }).optional(),
  file: z.object({ hashes: z.object({ quickXorHash: z.string().optional() }).optional() }).optional(),
  folder: z.object({}).optional(),
  deleted: z.object({}).optional(),
});
type Item = z.output<typeof itemSchema>;
const pageSchema = z.object({
  value: z.array(itemSchema),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});
const drivesSchema = z.object({ value: z.array(z.object({ id: z.string(), name: z.string().default('') })) });
const sitesSchema = z.object({
  value: z.array(z.object({ id: z.string(), displayName: z.string().default('') })),
});
const uploadSchema = z.object({ uploadUrl: z.string() });
const ownSchema = z.object({
  id: z.string(),
  owner: z
    .object({ user: z.object({ email: z.string().optional(), displayName: z.string().optional() }).optional() })
    .optional(),
});

const pageSize = 200;
/** Sites whose libraries are offered. */
const mostSites = 50;
const version = '/v1.0';
const chosen = 'id,name,size,cTag,lastModifiedDateTime,parentReference,file,folder,deleted';
/** Names that are tried where the wanted one is taken. */
const mostNames = 50;

const entryOf = (item: Item, driveId: string): CloudEntry => ({
  id: item.id,
  driveId,
  parentId: item.parentReference?.id ?? '',
  name: item.name,
  kind: item.folder ? 'folder' : item.file && item.cTag ? 'file' : 'other',
  revision: item.cTag ?? '',
  size: item.size,
  modifiedAt: new Date(item.lastModifiedDateTime ?? 0),
});

const changeOf = ({ id, parentReference }: Item): CloudChange => ({ id, parentId: parentReference?.id });

/** Graph, version 1.0: learn.microsoft.com/graph/api/resources/onedrive */
export function oneDrive(access: SignedIn): CloudClient {
  const base = access.endpoint ?? 'https://graph.microsoft.com';
  const { ask, keep } = failureKeeper();
  const client = Client.initWithMiddleware({
    baseUrl: base,
    defaultVersion: 'v1.0',
    middleware: {
      execute: async (context) => {
        context.response = await keep(access.fetch(String(context.request), context.options ?? {}));
      },
    },
  });

  /** The path of a link in an answer. What it names is sent the account's token, so it must lie at the service itself. */
  function pathOf(link: string): string {
    const start = `${base}${version}/`;
    if (!link.startsWith(start)) throw new Error('the service names a page at another address');
    return link.slice(start.length - 1);
  }
  const at = (driveId: string) => (driveId === '' ? '/me/drive' : `/drives/${driveId}`);
  async function read<Z extends z.ZodType>(schema: Z, question: GraphRequest | string): Promise<z.output<Z>> {
    const asked = typeof question === 'string' ? client.api(question) : question;
    return schema.parse(await ask(() => asked.get()));
  }

  async function find(driveId: string, id: string): Promise<CloudEntry | undefined> {
    try {
      return entryOf(await read(itemSchema, client.api(`${at(driveId)}/items/${id}`).select(chosen)), driveId);
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  async function libraries(): Promise<CloudDrive[]> {
    const sites = await read(sitesSchema, client.api('/sites').query({ search: '*', $top: mostSites })).catch(
      (error) => {
        // A private account has no sites.
        if ([400, 404].includes(statusOf(error))) return { value: [] };
        throw error;
      },
    );
    const found: CloudDrive[] = [];
    for (const site of sites.value) {
      const { value } = await read(drivesSchema, `/sites/${encodeURIComponent(site.id)}/drives`);
      found.push(...value.map(({ id, name }) => ({ id, name: `${site.displayName} – ${name}`, rootId: 'root' })));
    }
    return found;
  }

  /** A name in the folder that nothing has yet: Graph refuses a move to one that is taken. */
  async function moveAs(file: CloudEntry, folderId: string, no: number): Promise<void> {
    const { name: stem, ext } = path.posix.parse(file.name);
    const name = no === 1 ? file.name : `${stem} (${no})${ext}`;
    try {
      await ask(() =>
        client.api(`${at(file.driveId)}/items/${file.id}`).patch({ parentReference: { id: folderId }, name }),
      );
    } catch (error) {
      if (statusOf(error) !== 409 || no === mostNames) throw error;
      await moveAs(file, folderId, no + 1);
    }
  }

  return {
    account: async () => {
      const { owner } = await read(ownSchema, client.api('/me/drive').select('id,owner'));
      return owner?.user?.email ?? owner?.user?.displayName ?? '';
    },
    drives: async () => [{ id: '', name: '', rootId: 'root' }, ...(access.hasLibraries ? await libraries() : [])],
    children: async ({ driveId, folderId }, page) => {
      const question =
        page ??
        client
          .api(`${at(driveId)}/items/${folderId}/children`)
          .select(chosen)
          .top(pageSize);
      const { value, '@odata.nextLink': next } = await read(pageSchema, question);
      return { rows: value.map((item) => entryOf(item, driveId)), next: next && pathOf(next) };
    },
    find,
    newCursor: async (driveId) => {
      const answer = await read(pageSchema, client.api(`${at(driveId)}/root/delta`).query({ token: 'latest' }));
      const link = answer['@odata.deltaLink'];
      if (link === undefined) throw new Error('the service gives no place from which changes are told');
      return pathOf(link);
    },
    changes: async (_driveId, cursor) => {
      try {
        const answer = await read(pageSchema, cursor);
        const { '@odata.nextLink': next, '@odata.deltaLink': end } = answer;
        return { rows: answer.value.map(changeOf), next: next && pathOf(next), cursor: end && pathOf(end) };
      } catch (error) {
        if (statusOf(error) === 410) return undefined;
        throw error;
      }
    },
    // Graph answers with the address of the bytes, for which nobody signs in.
    read: async (file, from) =>
      bytesOf(
        await access.fetch(`${base}${version}${at(file.driveId)}/items/${file.id}/content`, {
          headers: { range: `bytes=${from}-` },
        }),
        from,
      ),
    move: (file, folderId) => moveAs(file, folderId, 1),
    remove: async (file) => {
      await ask(() => client.api(`${at(file.driveId)}/items/${file.id}`).delete());
    },
    makeFolder: async ({ driveId, folderId }, name) => {
      const folder = { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' };
      const made: unknown = await ask(() => client.api(`${at(driveId)}/items/${folderId}/children`).post(folder));
      return itemSchema.parse(made).id;
    },
    named: async ({ driveId, folderId }, name) => {
      try {
        const item = client.api(`${at(driveId)}/items/${folderId}:/${encodeURIComponent(name)}`).select(chosen);
        return entryOf(await read(itemSchema, item), driveId);
      } catch (error) {
        if (statusOf(error) === 404) return undefined;
        throw error;
      }
    },
    upload: async ({ driveId, folderId }, file) => {
      const path = `${at(driveId)}/items/${folderId}:/${encodeURIComponent(file.name)}:/createUploadSession`;
      const item = { '@microsoft.graph.conflictBehavior': 'fail' };
      const { uploadUrl } = uploadSchema.parse(await ask(() => client.api(path).post({ item })));
      return entryOf(await sendPieces(access, uploadUrl, file, itemSchema), driveId);
    },
    rename: async (file, name) => {
      try {
        await ask(() => client.api(`${at(file.driveId)}/items/${file.id}`).patch({ name }));
        return true;
      } catch (error) {
        if (statusOf(error) === 409) return false;
        throw error;
      }
    },
  };
}
