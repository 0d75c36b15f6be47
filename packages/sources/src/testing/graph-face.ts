import { randomBytes } from 'node:crypto';
import { type CloudAnswer, type CloudQuestion, type CloudServer, rangeOf, takePiece } from './cloud-wire.ts';
import type { WorldEntry } from './cloud-world.ts';

/* Graph v1.0 as learn.microsoft.com/graph/api/resources/onedrive describes it. */

const siteId = 'contoso.sharepoint.com,1b2c,3d4e';

/** learn.microsoft.com/graph/api/resources/driveitem: cTag changes with the content, eTag with anything. */
const shown = ({ id, name, parentId, isFolder, isGone, content, revision, modifiedAt }: WorldEntry) => ({
  id,
  name,
  size: content.length,
  cTag: `c:{${id}},${revision}`,
  lastModifiedDateTime: modifiedAt.toISOString(),
  parentReference: parentId === '' ? {} : { id: parentId },
  ...(isFolder ? { folder: { childCount: 0 } } : { file: { mimeType: 'application/pdf' } }),
  ...(isGone && { deleted: { state: 'deleted' } }),
});

/** …/paging: the whole address of the next page. */
function pageOf(server: CloudServer, url: URL, rows: readonly unknown[]): CloudAnswer {
  const from = Number(url.searchParams.get('$skiptoken') ?? 0);
  const to = from + server.pageSize;
  const next = new URL(url.pathname, server.address);
  next.searchParams.set('$skiptoken', String(to));
  const more = to < rows.length ? { '@odata.nextLink': next.href } : {};
  return { status: 200, body: { value: rows.slice(from, to), ...more } };
}

/**
 * …/driveitem-delta: `token=latest` begins now; the last page has deltaLink, the others nextLink; a token that is too old is
 * answered with 410 and where to begin anew.
 */
function deltaOf(server: CloudServer, url: URL, driveId: string): CloudAnswer {
  const { world, pageSize, cursorsFrom, address } = server;
  const link = (token: number) => `${address}${url.pathname}?token=${token}`;
  const token = url.searchParams.get('token');
  if (token === 'latest') return { status: 200, body: { value: [], '@odata.deltaLink': link(world.changes.length) } };
  const from = Number(token ?? 0);
  if (from < cursorsFrom)
    return {
      status: 410,
      headers: { location: link(cursorsFrom) },
      body: { error: { code: 'resyncRequired', message: 'resyncChangesApplyDifferences' } },
    };
  const end = Math.min(from + pageSize, world.changes.length);
  const value = world.changes.slice(from, end).flatMap((id) => {
    const entry = world.entries.get(id);
    return entry?.driveId === driveId ? [shown(entry)] : [];
  });
  const name = end === world.changes.length ? '@odata.deltaLink' : '@odata.nextLink';
  return { status: 200, body: { value, [name]: link(end) } };
}

/** …/driveitem-move: a name that is taken in the folder is refused. */
function update({ world }: CloudServer, entry: WorldEntry, body: string): CloudAnswer {
  const { parentReference, name = entry.name } = JSON.parse(body) as {
    parentReference?: { id: string };
    name?: string;
  };
  const parentId = parentReference?.id ?? entry.parentId;
  if (world.childrenOf(parentId).some((other) => other.id !== entry.id && other.name === name))
    return { status: 409, body: { error: { code: 'nameAlreadyExists', message: 'the name is taken' } } };
  entry.name = name;
  world.moveTo(entry.id, parentId);
  return { status: 200, body: shown(entry) };
}

function answerForItem(
  server: CloudServer,
  { id, step }: { id: string; step: string },
  question: CloudQuestion,
): CloudAnswer | undefined {
  const { world } = server;
  const { method, url, body } = question;
  const entry = world.entries.get(id);
  if (!entry || entry.isGone) return undefined;
  // …/driveitem-get-content: answered with an address for which nobody signs in
  if (step === '/content') return { status: 302, headers: { location: `${server.address}/download/${id}?tempauth=1` } };
  if (step === '/children' && method === 'POST') {
    const { name } = JSON.parse(body) as { name: string };
    return { status: 201, body: { ...shown(entry), id: world.addFolder(name, id), name } };
  }
  if (step === '/children') return pageOf(server, url, world.childrenOf(id).map(shown));
  if (method === 'PATCH') return update(server, entry, body);
  if (method === 'DELETE') {
    world.drop(id);
    return { status: 204 };
  }
  return { status: 200, body: shown(entry) };
}

/** …/driveitem-get and …/driveitem-createuploadsession, by the path below a folder. */
function answerByName(
  { uploads, world, address }: CloudServer,
  { parentId, name, step }: { parentId: string; name: string; step: string },
): CloudAnswer | undefined {
  const there = world.childrenOf(parentId).find((entry) => entry.name === name);
  if (step === '') return there && { status: 200, body: shown(there) };
  if (there) return { status: 409, body: { error: { code: 'nameAlreadyExists', message: 'the name is taken' } } };
  const begun = randomBytes(12).toString('hex');
  uploads.set(begun, { name, parentId, received: Buffer.alloc(0) });
  return { status: 200, body: { uploadUrl: `${address}/up?upload_id=${begun}` } };
}

/** Answers a question as Microsoft does; undefined = it has no such address. */
export function answerAsGraph(server: CloudServer, question: CloudQuestion): CloudAnswer | undefined {
  const { world } = server;
  const { url, headers } = question;
  const download = /^\/download\/([^/]+)$/.exec(url.pathname)?.[1];
  if (download !== undefined) return rangeOf(world.entries.get(download)?.content ?? Buffer.alloc(0), headers.range);
  if (url.pathname === '/up') {
    const secret = url.searchParams.get('upload_id') ?? '';
    const taken = takePiece(server, secret, question, { multipleOf: 320 * 1024, waiting: 202 });
    return 'answer' in taken ? taken.answer : { status: 201, body: shown(taken.stored) };
  }
  const path = decodeURIComponent(url.pathname.replace('/v1.0', ''));
  const byName = /^\/(?:me\/drive|drives\/([^/]+))\/items\/([^/:]+):\/([^/]+?)(:\/createUploadSession)?$/.exec(path);
  if (byName) {
    const [, inDrive = '', folderId = '', name = '', asks = ''] = byName;
    const parentId = folderId === 'root' ? world.rootOf(inDrive) : folderId;
    return answerByName(server, { parentId, name, step: asks });
  }
  const user = { email: server.account, displayName: 'Anna' };
  if (path === '/me/drive') return { status: 200, body: { id: 'own', owner: { user } } };
  if (path === '/sites') return { status: 200, body: { value: [{ id: siteId, displayName: 'Print' }] } };
  if (path === `/sites/${siteId}/drives`)
    return { status: 200, body: { value: [...world.drives].map(([id, name]) => ({ id, name })) } };
  const drive = /^\/(?:me\/drive|drives\/([^/]+))\/(root\/delta|items\/([^/]+)(\/\w+)?)$/.exec(path);
  if (!drive) return undefined;
  const [, driveId = '', what, given = '', step = ''] = drive;
  if (what === 'root/delta') return deltaOf(server, url, driveId);
  return answerForItem(server, { id: given === 'root' ? world.rootOf(driveId) : given, step }, question);
}
