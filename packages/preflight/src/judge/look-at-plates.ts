/** Runs the checks that need plates: each page is separated once for all of them. */
import { fittingDpi, type PagePlates, type PdfFile, type PlateLayers } from '@pdf2press/pdf';
import type { ProfileFrame } from '../reading/profile-frame.ts';
import type { PreflightServices, RenderTest } from '../reading/services.ts';

/** By page: why it could not be drawn completely, null if it could. Used by the render test. */
export type RenderHealth = Map<number, string | null>;

/** What plates show of the layers. */
export const layersOf: Record<ProfileFrame['considerLayers'], PlateLayers> = {
  DefaultViewState: 'view',
  PrintState: 'print',
  AllOn: 'all',
};

export interface PlateLook {
  pages: readonly number[];
  dpi: number;
  /** Resolves to what notes the result. It is called in the order of the pages, and not where others have to be given up. */
  look: (page: number, plates: PagePlates) => Promise<() => void>;
  fail: (page: number, reason: string) => void;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.message
      : String(error);

/** Limits memory; larger pages are separated at a lower resolution. */
const maxPixels = 30_000_000;

/**
 * After so many pages in a row that failed (in the render test) or needed too much processor time, the others are not
 * tried. Only what the file asks for is counted, never how long it took on the clock: the result is the same on a busy machine.
 */
const enoughFailures = 5;
const lateCode = 'PDF_TIMEOUT';

/**
 * Pages that are looked at at the same time: while Ghostscript draws a part of one of them, the plates of the next are
 * looked at.
 */
const pagesAtOnce = 2;

interface LookOptions {
  file: PdfFile;
  profile: Pick<ProfileFrame, 'considerLayers'>;
  services: PreflightServices;
  signal: AbortSignal;
  health: RenderHealth;
}

/**
 * Calls `look` of each entry with the plates of each of its pages, or `fail` with the reason. All that look at a page use
 * the highest resolution that one of them needs, because a second rendering takes longer than a larger one.
 */
export async function lookAtPlates(
  options: LookOptions,
  looks: readonly PlateLook[],
  onPage?: (done: number, total: number) => void,
): Promise<void> {
  if (looks.length === 0) return;
  const { file, profile, services, signal, health } = options;
  const pages = [...new Set(looks.flatMap((look) => look.pages))].sort((a, b) => a - b);
  const wanted = looks.map((look) => new Set(look.pages));
  const wantingOf = (page: number) => looks.filter((_, at) => wanted[at]?.has(page));
  const render = services.render();
  const layers = layersOf[profile.considerLayers];
  const dpiOf = (number: number): number => {
    const page = file.pages[number - 1];
    const dpi = Math.max(...wantingOf(number).map((look) => look.dpi));
    return page ? fittingDpi(page, { dpi, box: 'media', pixels: maxPixels }) : dpi;
  };
  for (const dpi of new Set(looks.map((look) => look.dpi)))
    render.expectPlates(
      pages.filter((page) => dpiOf(page) === dpi),
      { dpi, layers },
    );
  /** All looks at a page, one after the other. */
  const lookAt = async (page: number): Promise<Looked> => {
    try {
      const plates = await render.plates(page, { dpi: dpiOf(page), layers });
      const notes: (() => void)[] = [];
      for (const look of wantingOf(page)) notes.push(await look.look(page, plates));
      return { notes, hasErrors: plates.hasErrors };
    } catch (error) {
      return { error };
    }
  };
  const fail = (page: number, reason: string): void => {
    health.set(page, reason);
    for (const look of wantingOf(page)) look.fail(page, reason);
  };
  const begun: Promise<Looked>[] = [];
  let lateInARow = 0;
  for (const [at, page] of pages.entries()) {
    while (begun.length < Math.min(at + pagesAtOnce, pages.length) && lateInARow < enoughFailures)
      begun.push(lookAt(pages[begun.length] as number));
    const looked = await begun[at];
    signal.throwIfAborted();
    // A page that was begun before the others were given up counts as they do.
    if (!looked || lateInARow >= enoughFailures) fail(page, lateCode);
    else if ('error' in looked) {
      const reason = codeOf(looked.error);
      fail(page, reason);
      lateInARow = reason === lateCode ? lateInARow + 1 : 0;
    } else {
      health.set(page, looked.hasErrors ? 'drawing' : null);
      for (const note of looked.notes) note();
      lateInARow = 0;
    }
    onPage?.(at + 1, pages.length);
  }
}

/** What the looks at a page have found, or why it has no plates. */
type Looked = { notes: readonly (() => void)[]; hasErrors: boolean } | { error: unknown };

/** The render test: uses the result of pages rendered for other checks and draws the others at `dpi`. */
export function renderTestOf({ file, profile, services, signal, health }: LookOptions): RenderTest {
  return async ({ pages, dpi, cpuSeconds }) => {
    const missing = pages.filter((page) => !health.has(page));
    if (missing.length > 0) {
      const render = services.render();
      const layers = layersOf[profile.considerLayers];
      render.expectPlates(missing, { dpi, layers, cpuSeconds });
      let failuresInARow = 0;
      for (const page of missing) {
        const facts = file.pages[page - 1];
        const at = facts ? fittingDpi(facts, { dpi, box: 'media', pixels: maxPixels }) : dpi;
        const reason = await attempt(render.plates(page, { dpi: at, layers, cpuSeconds }));
        signal.throwIfAborted();
        health.set(page, reason);
        failuresInARow = reason === null ? 0 : failuresInARow + 1;
        if (failuresInARow >= enoughFailures) break;
      }
    }
    return pages.flatMap((page) => {
      const reason = health.get(page);
      return reason ? [{ page, reason }] : [];
    });
  };
}

async function attempt(rendering: Promise<PagePlates>): Promise<string | null> {
  try {
    return (await rendering).hasErrors ? 'drawing' : null;
  } catch (error) {
    return codeOf(error);
  }
}
