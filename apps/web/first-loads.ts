import { build, type InlineConfig, type Rolldown } from 'vite';

const entry = ['main.tsx'];
const signIn = ['frame/place-frame.tsx', 'frame/blank-layout.tsx', 'account/login-screen.tsx'];
const frame = ['frame/place-frame.tsx', 'frame/default-layout.tsx'];
const list = [...frame, 'sessions/sessions-screen.tsx'];
const builder = [...frame, 'workflows/workflow-screen.tsx', 'workflows/builder-canvas.tsx'];
const session = [...frame, 'sessions/session-screen.tsx'];
const proof = ['frame/place-frame.tsx', 'frame/blank-layout.tsx', 'client-proof/client-proof-screen.tsx'];

/**
 * The chunks of the first loads: the sign-in, the frame with the list of sessions, a session, the public page of a proof,
 * and what the builder shares with them. By default the bundler makes a chunk of every set of modules that the same pages
 * need, over a hundred for the list; on a slow processor each chunk costs more than the code in it. Other pages are split
 * by the bundler. A module belongs to the first chunk that has it.
 */
const firstLoads: readonly { name: string; of: readonly string[]; andOf?: readonly string[]; within?: RegExp }[] = [
  { name: 'app', of: entry },
  { name: 'page', of: signIn, andOf: list },
  { name: 'frame', of: list, andOf: builder },
  // Small parts that most forms use, too: as files of their own they cost the builder more than they hold.
  { name: 'frame', of: builder, within: /[\\/](?:IconPlus|IconArrowBackUp|leave-question|form-action)\.\w+$/ },
  { name: 'seen', of: proof, andOf: list },
  { name: 'list', of: list },
  // Without a file of their own, a few modules that the builder needs would bring all forms with them.
  { name: 'drawn', of: signIn, andOf: builder },
  { name: 'asked', of: proof, andOf: signIn },
  { name: 'form', of: signIn },
  { name: 'set', of: proof, andOf: builder },
  { name: 'viewer', of: proof, andOf: session },
  { name: 'proof', of: proof },
  // Other pages share its parts of other makers, and nothing of its own.
  { name: 'widgets', of: session, within: /[\\/]node_modules[\\/]/ },
  { name: 'session', of: session, within: /[\\/]src[\\/](?:sessions|viewer)[\\/]/ },
  // Of what other pages use, too, nothing is in here.
  {
    name: 'builder',
    of: ['workflows/workflow-screen.tsx'],
    within: /[\\/](?:src[\\/]workflows|packages[\\/]steps)[\\/]/,
  },
];

/**
 * Returns the chunk of each module. Which modules a page needs is known only after unused code was removed, so the app is
 * bundled once before: `config` is the configuration for that, without these chunks.
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
  const files = firstLoads.map(({ name, of, andOf, within }) => ({
    name,
    within,
    modules: modulesFrom(of),
    also: andOf && modulesFrom(andOf),
  }));
  return (id) =>
    // The loader of a page stays a chunk of its own, and the HTML document is not a script.
    id.endsWith('.html') || roots.some((root) => id.endsWith(`/src/${root}`))
      ? null
      : (files.find(
          ({ modules, also, within }) => modules.has(id) && (also?.has(id) ?? true) && (within?.test(id) ?? true),
        )?.name ?? null);
}
