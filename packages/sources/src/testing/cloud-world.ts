import { createHash, randomBytes } from 'node:crypto';

/* What a cloud service of the tests holds; the servers beside it show it as Google and Microsoft do. */

export interface WorldEntry {
  id: string;
  driveId: string;
  parentId: string;
  name: string;
  isFolder: boolean;
  content: Buffer;
  revision: number;
  modifiedAt: Date;
  isGone: boolean;
}

export interface CloudWorld {
  entries: Map<string, WorldEntry>;
  /** Ids in the order of their changes; an id may be there twice. */
  changes: string[];
  /** Drives besides the account's own, by id. */
  drives: Map<string, string>;
  /** The folder that holds everything of a drive. */
  rootOf(driveId?: string): string;
  addDrive(name: string): string;
  addFolder(name: string, parentId?: string): string;
  addFile(name: string, content: string | Buffer, parentId?: string): string;
  replace(id: string, content: string | Buffer): void;
  moveTo(id: string, parentId: string): void;
  drop(id: string): void;
  /** Names of what lies in a folder, sorted. */
  namesIn(parentId?: string): string[];
  childrenOf(parentId: string): WorldEntry[];
}

const newId = (): string => randomBytes(9).toString('base64url').replaceAll('-', '_');
export const md5Of = (content: Buffer): string => createHash('md5').update(content).digest('hex');

export function createWorld(): CloudWorld {
  const entries: CloudWorld['entries'] = new Map();
  const changes: string[] = [];
  const drives: CloudWorld['drives'] = new Map();
  const roots = new Map<string, string>();

  function add(
    entry: Pick<WorldEntry, 'name' | 'parentId' | 'driveId' | 'isFolder'>,
    content: string | Buffer = '',
    id = newId(),
  ): string {
    entries.set(id, {
      ...entry,
      id,
      content: Buffer.from(content),
      revision: 1,
      modifiedAt: new Date(),
      isGone: false,
    });
    changes.push(id);
    return id;
  }
  function change(id: string, to: Partial<WorldEntry>): void {
    const entry = entries.get(id);
    if (!entry) throw new Error(`nothing has the id ${id}`);
    Object.assign(entry, to);
    changes.push(id);
  }
  const addRoot = (driveId: string, name: string): void => {
    // A shared drive of Google has the id of the folder that holds everything in it.
    const id = driveId === '' ? newId() : driveId;
    roots.set(driveId, add({ name, parentId: '', driveId, isFolder: true }, '', id));
  };
  const rootOf = (driveId = ''): string => {
    const root = roots.get(driveId);
    if (root === undefined) throw new Error(`there is no drive ${driveId}`);
    return root;
  };
  const driveOf = (parentId: string): string => entries.get(parentId)?.driveId ?? '';
  const childrenOf = (parentId: string): WorldEntry[] =>
    [...entries.values()].filter((entry) => entry.parentId === parentId && !entry.isGone);
  addRoot('', 'root');
  return {
    entries,
    changes,
    drives,
    rootOf,
    addDrive: (name) => {
      const id = newId();
      drives.set(id, name);
      addRoot(id, name);
      return id;
    },
    addFolder: (name, parentId = rootOf()) => add({ name, parentId, driveId: driveOf(parentId), isFolder: true }),
    addFile: (name, content, parentId = rootOf()) =>
      add({ name, parentId, driveId: driveOf(parentId), isFolder: false }, content),
    replace: (id, content) =>
      change(id, {
        content: Buffer.from(content),
        revision: (entries.get(id)?.revision ?? 0) + 1,
        modifiedAt: new Date(),
      }),
    moveTo: (id, parentId) => change(id, { parentId, driveId: driveOf(parentId) }),
    drop: (id) => change(id, { isGone: true }),
    namesIn: (parentId = rootOf()) =>
      childrenOf(parentId)
        .map(({ name }) => name)
        .sort(),
    childrenOf,
  };
}
