import { fontsNamed } from '@pdf2press/contract';
import type { StepContext, StepFont } from '@pdf2press/steps/contracts';
import type { EngineDeps } from '../deps.ts';

type Names = Parameters<StepContext['withFonts']>[0];

interface FontRow extends Omit<StepFont, 'path'> {
  sha256: string;
  family: string;
  style: string;
  fullName: string;
}

const readLibrary = (deps: EngineDeps, subscriberId: string): Promise<FontRow[]> =>
  deps.database.withSubscriber({ subscriberId }, (tx) =>
    tx.font.findMany({
      select: { id: true, sha256: true, postScriptName: true, family: true, style: true, fullName: true },
      orderBy: { id: 'desc' },
    }),
  );

/** Does work with the fonts of a subscriber's library that bear any of the names, each as a file on this machine. */
export async function withFonts<T>(
  deps: EngineDeps,
  subscriberId: string,
  names: Names,
  work: (fonts: readonly StepFont[]) => Promise<T>,
): Promise<T> {
  const library = await readLibrary(deps, subscriberId);
  const wanted = library.length === 0 ? [] : await names();
  const rows = [...new Set(wanted.flatMap((name) => fontsNamed(library, name)))];
  const here = (at: number, fonts: readonly StepFont[]): Promise<T> => {
    const row = rows[at];
    if (!row) return work(fonts);
    const { sha256, id, postScriptName } = row;
    return deps.storage.withLocalPath({ subscriberId, sha256 }, (path) =>
      here(at + 1, [...fonts, { id, postScriptName, path }]),
    );
  };
  return here(0, []);
}

/** Notes that fonts were embedded now. One that was removed meanwhile is not missed. */
export async function noteFontsUsed(deps: EngineDeps, subscriberId: string, ids: readonly string[]): Promise<void> {
  await deps.database.withSubscriber({ subscriberId }, (tx) =>
    tx.font.updateMany({ where: { id: { in: [...ids] } }, data: { lastUsedAt: new Date() } }),
  );
}
