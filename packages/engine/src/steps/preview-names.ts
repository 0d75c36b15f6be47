import type { RouteResult, routes } from '@pdf2press/contract';
import type { SubscriberContext } from '@pdf2press/prisma';
import { nameFile } from '@pdf2press/steps/rename';
import type { RenameRules } from '@pdf2press/steps/rename-profile';
import type { EngineDeps } from '../deps.ts';
import { knownOfPast } from './evaluate-session.ts';

/** How many sessions a preview shows. */
const shown = 3;

/** What the API answers. */
export type NamePreview = RouteResult<(typeof routes)['renamingProfiles']['preview']>;

/**
 * The names that the files of the newest sessions would get by these rules: the same functions as when a step runs. Nothing
 * is written, and no running number is taken.
 * @throws FileFaultError `SETTINGS_INVALID` for a regular expression that cannot be read
 */
export async function previewNames(
  deps: EngineDeps,
  context: SubscriberContext,
  rules: RenameRules,
): Promise<NamePreview> {
  const sessions = await deps.database.withSubscriber(context, (tx) =>
    tx.session.findMany({
      where: { deletedAt: null, isTrial: false, files: { some: { kind: 'OriginalFile', removedAt: null } } },
      select: { id: true, fileName: true },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: shown,
    }),
  );
  return Promise.all(
    sessions.map(async ({ id, fileName }) => {
      const known = await knownOfPast(deps, context, { sessionId: id });
      const { wanted } = await nameFile(known, rules, { file: { ...known.original, name: fileName }, taken: [] });
      return { sessionId: id, from: fileName, to: wanted };
    }),
  );
}
