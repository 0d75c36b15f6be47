import { existsSync } from 'node:fs';
import path from 'node:path';
import { cleanFileName } from '@pdf2press/contract';
import type { IntakeDeps } from './deps.ts';
import { type Inlet, inletOf } from './inlets.ts';

interface Row {
  id: string;
  name: string;
  subscriberId: string;
  isFirst: boolean;
  takesSidecars: boolean;
}

/**
 * Each workflow's name as a folder name; its id where two names give the same folder name, or one that the hot folder
 * itself uses.
 */
function folderNames(rows: readonly Row[]): Map<string, string> {
  const named = new Map<string, string>();
  for (const row of rows) {
    const name = cleanFileName(row.name);
    const isTaken = rows.some(
      (other) =>
        other.id !== row.id &&
        other.subscriberId === row.subscriberId &&
        cleanFileName(other.name).toLowerCase() === name.toLowerCase(),
    );
    named.set(row.id, isTaken || ['processed', 'rejected'].includes(name) ? row.id : name);
  }
  return named;
}

/**
 * A folder for every published workflow that takes files from one: `<hot>/<workflow name>`, or the workflow's id. Those of the second and every later
 * subscriber are one level deeper, below the subscriber's id.
 */
export async function hotFolders(deps: IntakeDeps): Promise<Inlet[]> {
  const source = deps.sources.get('folder');
  if (!source) return [];
  const rows = await deps.db.asHost(
    (tx) => tx.$queryRaw<Row[]>`
      select workflows.id, workflows.name, workflows.subscriber_id as "subscriberId",
             workflows.subscriber_id = (select id from subscribers order by created_at, id limit 1) as "isFirst",
             jsonb_path_exists(version.definition, '$.steps[*] ? (@.kind == "Inject").settings ? (@.takesSidecars == true)')
               as "takesSidecars"
        from workflows join subscribers on subscribers.id = workflows.subscriber_id
        join workflow_versions version on version.workflow_id = workflows.id and version.no = workflows.published_no
       where workflows.deleted_at is null and not workflows.is_trial and workflows.is_enabled
         and subscribers.is_active
         and not jsonb_path_exists(version.definition, '$.steps[*] ? (@.kind == "Inject").settings.ways ? (@.hotFolder == false)')
       order by workflows.id`,
  );
  const names = folderNames(rows);
  return rows.flatMap(({ id, subscriberId, isFirst, takesSidecars }) => {
    const folderOf = (name: string) => (isFirst ? name : path.join(subscriberId, name));
    const name = names.get(id) ?? id;
    // The folder by name is made where it is missing; the one by id is polled only where it exists.
    const hasOwn = name !== id && existsSync(path.join(deps.env.hotFolderDir, folderOf(id)));
    return (hasOwn ? [name, id] : [name]).map((folder) =>
      inletOf(source, {
        subscriberId,
        workflowId: id,
        takesSidecars,
        settings: {
          path: folderOf(folder),
          // Every file is taken or refused with a reason; none is left there without one.
          include: ['*'],
          exclude: ['.*', '~*', '*.tmp', '*.part', '*.crdownload', 'Thumbs.db', 'desktop.ini'],
          stableSeconds: deps.env.stableSeconds,
        },
      }),
    );
  });
}
