import { doorChecks, fileTypes, type StepReference, usualFileTypes, waysIn } from '@pdf2press/contract';
import { onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };
import { namePatternIssues } from './name-pattern.ts';

type WayShape = Record<(typeof waysIn)[number], z.ZodDefault<z.ZodBoolean>>;
const ways = Object.fromEntries(waysIn.map((way) => [way, z.boolean().default(true)])) as WayShape;

const settingsSchema = z.object({
  /** Which ways lead into the workflow; a file that comes another way is refused. */
  ways: z.object(ways).prefault({}).meta({ editor: 'waysIn' }),
  /**
   * Places that are looked into for files, each by its kind of source (a hot folder, a folder of another server). Edited with
   * the ways that their files take.
   */
  sources: z
    .array(z.object({ kind: z.string().min(1).max(40), settings: z.record(z.string(), z.unknown()).default({}) }))
    .max(20)
    .default([])
    .meta({ editor: 'none' }),
  /** What the upload page says of files before they are sent. Edited with that way. */
  doorCheck: z.enum(doorChecks).default('show').meta({ editor: 'none' }),
  /** Pictures are made a PDF with a page for each; what becomes of a ZIP is said below. */
  fileTypes: z
    .array(z.enum(fileTypes))
    .min(1)
    .default([...usualFileTypes]),
  /** What a ZIP is: a delivery of files that each run by themselves, or the pieces of one document. */
  zips: onlyWhen({ fileTypes: 'ZIP' }, z.enum(['sessions', 'document']).default('sessions')),
  /**
   * In which order the files of one document are merged: by their names, numbers by their value; as they lie in the ZIP; or by
   * their names with the first one as the cover, half of it before the others and half of it after them.
   */
  mergeOrder: onlyWhen({ fileTypes: 'ZIP', zips: 'document' }, z.enum(['name', 'packed', 'cover']).default('name')),
  /**
   * What becomes a session of its own: the whole file, each page, so many pages, the pages from one bookmark of the highest
   * level to the next, or those between empty pages.
   */
  splitting: z.enum(['file', 'page', 'pages', 'bookmarks', 'emptyPages']).default('file'),
  pagesPerPart: onlyWhen({ splitting: 'pages' }, z.number().int().min(2).max(1000).default(2)),
  /** What happens to a file with the same bytes as an earlier one. */
  duplicates: z.enum(['accept', 'warn', 'refuse']).default('accept'),
  /** Where earlier files are looked for. */
  duplicatesIn: onlyWhen({ duplicates: ['warn', 'refuse'] }, z.enum(['workflow', 'everywhere']).default('workflow')),
  /** Names of files and the variables that they give: `{{order}}_{{copies}}_*.pdf`; empty = any name. */
  namePattern: z.string().trim().max(300).default(''),
  /** What happens to a file whose name does not fit. */
  onOtherName: z.enum(['refuse', 'hold', 'ignore']).default('refuse'),
  /** Whether values for the variables are read from a CSV, JSON or XML file that comes beside the file. */
  takesSidecars: z.boolean().default(false),
  /** Whether small pictures of the pages are drawn as soon as the file is there. */
  drawThumbnails: z.boolean().default(true),
});
export type InjectSettings = z.output<typeof settingsSchema>;

export const injectContract = stepContract({
  kind: 'Inject',
  version: 3,
  settings: settingsSchema,
  outcomes: ['done'],
  sources: ({ sources }) =>
    Array.isArray(sources)
      ? sources.flatMap((source: unknown, at) =>
          typeof source === 'object' && source !== null && 'kind' in source && typeof source.kind === 'string'
            ? [{ kind: source.kind, settings: 'settings' in source ? source.settings : {}, field: `sources.${at}` }]
            : [],
        )
      : [],
  references: ({ sources }) =>
    (Array.isArray(sources) ? sources : []).flatMap((source: unknown, at): StepReference[] => {
      const { kind, settings } = (source ?? {}) as { kind?: unknown; settings?: { connectionId?: unknown } };
      const id = settings?.connectionId;
      return kind === 'sftp' && typeof id === 'string' && id !== ''
        ? [{ resource: 'sftpServer', id, field: `sources.${at}.settings.connectionId` }]
        : [];
    }),
  check: ({ namePattern }, names) => namePatternIssues(namePattern, names),
  icon: 'M12 3v11M8 10l4 4 4-4M4 15v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4',
  group: 'start',
  isEntry: true,
  single: { missing: 'workflow.injectionMissing', twice: 'workflow.twoInjections' },
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
