import { createReadStream } from 'node:fs';
import type { Transaction } from '@pdf2press/prisma';
import type { EngineDeps } from '../../deps.ts';
import { storeDerived, withInputs } from '../derived-file.ts';
import { withEffectFolder } from '../effect-folder.ts';
import { askForEffect } from '../enqueue.ts';
import { hashOf } from '../hash-of.ts';
import type { EffectRun } from '../run.ts';

/** Draws small pictures of all pages; resolves to their files, and null for a page that cannot be drawn. */
export type DrawPictures = (request: {
  pdf: string;
  workDir: string;
  signal: AbortSignal;
}) => Promise<readonly { page: number; file: string | null }[]>;

/** Checksums by the number of the page, from 1. What cannot be drawn has none. */
export type PictureSums = Readonly<Record<string, string>>;

/**
 * The checksums of the pictures of a file's pages, as a stored JSON file; they are asked for where they are not there yet.
 * `dead` = they cannot be made, or the file is gone.
 */
export async function findPictures(tx: Transaction, fileId: string): Promise<{ sha256: string } | 'asked' | 'dead'> {
  const findMade = () =>
    tx.file.findFirst({
      where: {
        removedAt: null,
        kind: 'Others',
        AND: [{ meta: { path: ['role'], equals: 'pictures' } }, { meta: { path: ['of'], equals: fileId } }],
      },
      select: { sha256: true },
    });
  const made = await findMade();
  if (made) return made;
  const file = await tx.file.findUnique({ where: { id: fileId } });
  if (!file || file.removedAt) return 'dead';
  const { state } = await askForEffect(
    tx,
    {
      kind: 'pictures',
      key: `pictures ${fileId}`,
      sessionId: file.sessionId,
      payload: { fileId, name: file.name },
    },
    findMade,
  );
  return state;
}

async function* jsonOf(value: PictureSums) {
  yield Buffer.from(JSON.stringify(value));
}

/** Makes what `findPictures` asks for. Runs outside the workflow: it keeps no session open and cannot fail one. */
export function sumPictures(
  deps: EngineDeps,
  { drawPictures, workFolder }: { drawPictures: DrawPictures; workFolder: string },
): EffectRun<'pictures'> {
  return {
    run: (effect, signal) =>
      withEffectFolder(workFolder, effect, (workDir) =>
        withInputs(deps, effect, [effect.payload.fileId], async ([file]) => {
          const sums: Record<string, string> = {};
          for (const { page, file: picture } of await drawPictures({ pdf: file.localPath, workDir, signal }))
            if (picture) sums[page] = await hashOf(createReadStream(picture), signal);
          return storeDerived(deps, effect, file, jsonOf(sums), {
            kind: 'Others',
            name: 'pictures.json',
            mediaType: 'application/json',
            meta: { role: 'pictures', of: file.id },
          });
        }),
      ),
    onDead: async (_, { payload: { name } }) => ({ name }),
  };
}
