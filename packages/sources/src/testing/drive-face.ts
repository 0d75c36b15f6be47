import { randomBytes } from 'node:crypto';
import { type CloudAnswer, type CloudQuestion, type CloudServer, rangeOf, takePiece } from './cloud-wire.ts';
import { md5Of, type WorldEntry } from './cloud-world.ts';

/* Drive v3 as developers.google.com/workspace/drive/api/reference/rest/v3 describes it. */

const folderType = 'application/vnd.google-apps.folder';

/** developers.google.com/workspace/drive/api/reference/rest/v3/files: sizes are texts, and only files have revisions. */
const shown = ({ id, name, parentId, isFolder, isGone, content, revision, modifiedAt }: WorldEntry) => ({
  id,
  name,
  mimeType: isFolder ? folderType : 'application/pdf',
  parents: parentId === '' ? [] : [parentId],
  trashed: isGone,
  modifiedTime: modifiedAt.toISOString(),
  ...(!isFolder && {
    size: String(content.length),
    headRevisionId: `rev${revision}`,
    md5Checksum: md5Of(content),
  }),
});

/** A page of rows; the token is the place of the next row (…/v3/files/list: nextPageToken). */
function pageOf<T>(server: CloudServer, rows: readonly T[], token: string | null, name: string): CloudAnswer {
  const from = Number(token ?? 0);
  const to = from + server.pageSize;
  const next = to < rows.length ? { nextPageToken: String(to) } : {};
  return { status: 200, body: { [name]: rows.slice(from, to), ...next } };
}

/** …/v3/changes/list: the last page has newStartPageToken, the others nextPageToken. */
function changesOf(server: CloudServer, { searchParams }: URL): CloudAnswer {
  const { world, pageSize, cursorsFrom } = server;
  const from = Number(searchParams.get('pageToken') ?? Number.NaN);
  if (Number.isNaN(from) || from < cursorsFrom)
    return { status: 400, body: { error: { code: 400, errors: [{ reason: 'invalid', location: 'pageToken' }] } } };
  const end = Math.min(from + pageSize, world.changes.length);
  const wanted = searchParams.get('driveId') ?? '';
  const changes = world.changes.slice(from, end).flatMap((id) => {
    const entry = world.entries.get(id);
    return entry?.driveId === wanted ? [{ fileId: id, file: { parents: [entry.parentId] } }] : [];
  });
  const isLast = end === world.changes.length;
  const next = isLast ? { newStartPageToken: String(Math.max(end, from)) } : { nextPageToken: String(end) };
  return { status: 200, body: { changes, ...next } };
}

/** …/v3/files/update: parents are added and removed by parameters, and the bin is a field. */
function update({ world }: CloudServer, entry: WorldEntry, { url, body }: CloudQuestion): CloudAnswer {
  const parent = url.searchParams.get('addParents');
  if (parent !== null) world.moveTo(entry.id, parent);
  const { trashed, name } = JSON.parse(body || '{}') as { trashed?: boolean; name?: string };
  if (name !== undefined) entry.name = name;
  if (trashed) world.drop(entry.id);
  return { status: 200, body: { id: entry.id } };
}

function answerForFile(server: CloudServer, id: string, question: CloudQuestion): CloudAnswer | undefined {
  const { world } = server;
  const entry = world.entries.get(id === 'root' ? world.rootOf() : id);
  if (!entry) return undefined;
  if (question.method === 'PATCH') return update(server, entry, question);
  // developers.google.com/workspace/drive/api/guides/manage-downloads: alt=media, with Range for a part
  if (question.url.searchParams.get('alt') === 'media') return rangeOf(entry.content, question.headers.range);
  return { status: 200, body: shown(entry) };
}

function create({ world }: CloudServer, { body }: CloudQuestion): CloudAnswer {
  const { name, parents } = JSON.parse(body) as { name: string; parents: string[] };
  return { status: 200, body: { id: world.addFolder(name, parents[0]) } };
}

/** developers.google.com/workspace/drive/api/guides/manage-uploads: a session is begun, and its address takes the pieces. */
function upload(server: CloudServer, question: CloudQuestion): CloudAnswer {
  const { url, method, body } = question;
  const secret = url.searchParams.get('upload_id');
  if (method === 'PUT' && secret !== null) {
    const taken = takePiece(server, secret, question, { multipleOf: 256 * 1024, waiting: 308 });
    return 'answer' in taken ? taken.answer : { status: 200, body: { id: taken.stored.id, name: taken.stored.name } };
  }
  const { name, parents = [] } = JSON.parse(body) as { name: string; parents?: string[] };
  const [parent = 'root'] = parents;
  const begun = randomBytes(12).toString('hex');
  const parentId = parent === 'root' ? server.world.rootOf() : parent;
  server.uploads.set(begun, { name, parentId, received: Buffer.alloc(0) });
  return {
    status: 200,
    headers: { location: `${server.address}${url.pathname}?uploadType=resumable&upload_id=${begun}` },
  };
}

/** Answers a question as Google does; undefined = it has no such address. */
export function answerAsDrive(server: CloudServer, question: CloudQuestion): CloudAnswer | undefined {
  const { world } = server;
  const { url, method } = question;
  const path = url.pathname.replace('/drive/v3', '');
  if (path === '/upload/files') return upload(server, question);
  const token = url.searchParams.get('pageToken');
  const id = /^\/files\/([^/]+)$/.exec(path)?.[1];
  if (id !== undefined) return answerForFile(server, id, question);
  if (path === '/files' && method === 'POST') return create(server, question);
  if (path === '/files') {
    const asking = /^'([^']+)' in parents (?:and name = '((?:[^'\\]|\\.)*)' )?and trashed = false$/;
    const [, asked = '', name] = asking.exec(url.searchParams.get('q') ?? '') ?? [];
    const wanted = name?.replace(/\\(.)/g, '$1');
    const children = world.childrenOf(asked === 'root' ? world.rootOf() : asked);
    const rows = children.filter((entry) => wanted === undefined || entry.name === wanted).map(shown);
    return pageOf(server, rows, token, 'files');
  }
  if (path === '/about') return { status: 200, body: { user: { displayName: 'Anna', emailAddress: server.account } } };
  if (path === '/drives')
    return { status: 200, body: { drives: [...world.drives].map(([driveId, name]) => ({ id: driveId, name })) } };
  if (path === '/changes/startPageToken')
    return { status: 200, body: { startPageToken: String(world.changes.length) } };
  return path === '/changes' ? changesOf(server, url) : undefined;
}
