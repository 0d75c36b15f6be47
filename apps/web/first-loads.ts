import { build, type InlineConfig, type Rolldown } from 'vite';

const entry = ['main.tsx'];
const signIn = ['frame/place-frame.tsx', 'frame/blank-layout.tsx', 'account/login-screen.tsx'];
const list = ['frame/place-frame.tsx', 'frame/default-layout.tsx', 'sessions/sessions-screen.tsx'];

/**
 * The files of the first loads: of the sign-in, and of the frame with the list of sessions. Left to itself the bundler
 * makes a file of every set of modules that the same pages need, which is over a hundred for the list; on a slow
 * processor each file costs more than the code in it. All else is split by page as the bundler sees fit. A module
 * belongs to the first that has it.
 */
const firstLoads: readonly { name: string; of: readonly string[]; andOf?: readonly string[] }[] = [
  { name: 'app', of: entry },
  { name: 'page', of: signIn, andOf: list },
  { name: 'list', of: list },
  { name: 'form', of: signIn },
];

/**
 * Tells of each module which of these files it belongs in. What a page needs is known only when all that is unused has
 * been left out, so the app is bundled once to find out: `config` is how, without these files.
 */
export async function filesOfFirstLoads(config: InlineConfig): Promise<Rolldown.CodeSplittingNameFunction> {
  const { output } = (await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false, minify: false, cssMinify: false, reportCompressedSize: false },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part]] : [])));
  const modulesFrom = (sources: readonly string[] = []): Set<string> => {
    const met = new Set<string>();
    const visit = (fileName: string): void => {
      if (met.has(fileName)) return;
      met.add(fileName);
      chunks.get(fileName)?.imports.forEach(visit);
    };
    for (const { fileName, moduleIds } of chunks.values())
      if (moduleIds.some((id) => sources.some((source) => id.endsWith(`/src/${source}`)))) visit(fileName);
    return new Set([...met].flatMap((fileName) => chunks.get(fileName)?.moduleIds ?? []));
  };
  const roots = firstLoads.flatMap(({ of }) => of);
  const files = firstLoads.map(({ name, of, andOf }) => ({
    name,
    modules: modulesFrom(of),
    also: andOf && modulesFrom(andOf),
  }));
  return (id) =>
    // What a page is loaded by keeps its own small file, and the document is no program.
    id.endsWith('.html') || roots.some((root) => id.endsWith(`/src/${root}`))
      ? null
      : (files.find(({ modules, also }) => modules.has(id) && (also?.has(id) ?? true))?.name ?? null);
}
