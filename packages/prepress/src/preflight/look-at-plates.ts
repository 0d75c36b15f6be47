/** The part of a run that looks at separations: one rendering per page for all checks that want plates. */
import { FileFaultError } from '@pdf2press/contract';
import { fittingDpi, type PagePlates, type PdfFile, type PlateLayers } from '@pdf2press/pdf';
import type { PreflightProfile } from './profile.ts';
import type { PreflightServices, RenderTest } from './services.ts';

/** How each page's rendering went, for the render test: null where all of it could be drawn. */
export type RenderHealth = Map<number, string | null>;

const layersOf: Record<PreflightProfile['considerLayers'], PlateLayers> = {
  DefaultViewState: 'view',
  PrintState: 'print',
  AllOn: 'all',
};

export interface PlateLook {
  pages: readonly number[];
  dpi: number;
  look: (page: number, plates: PagePlates) => void;
  fail: (page: number, reason: string) => void;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.message
      : String(error);

/** Pages are separated several in a run, so the first waits for its neighbours too. */
const pageTimeoutMs = 45_000;

/** A page of a square metre is looked at coarser: its bleed is larger too, and every plate costs so many bytes. */
const maxPixels = 30_000_000;

/** A file of which so many pages in a row cannot be drawn will not be drawn: the rest costs time and tells nothing new. */
const enoughFailures = 5;

interface LookOptions {
  file: PdfFile;
  profile: PreflightProfile;
  services: PreflightServices;
  signal: AbortSignal;
  health: RenderHealth;
}

/**
 * Shows every page's plates to each look that wants that page. All share the highest resolution any of them asks for: a
 * second rendering costs more than the larger picture.
 */
export async function lookAtPlates(options: LookOptions, looks: readonly PlateLook[]): Promise<void> {
  if (looks.length === 0) return;
  const { file, profile, services, signal, health } = options;
  const pages = [...new Set(looks.flatMap((look) => look.pages))].sort((a, b) => a - b);
  const dpi = Math.max(...looks.map((look) => look.dpi));
  const render = services.render();
  const layers = layersOf[profile.considerLayers];
  const dpiOf = (number: number): number => {
    const page = file.pages[number - 1];
    return page ? fittingDpi(page, { dpi, box: 'media', pixels: maxPixels }) : dpi;
  };
  render.expectPlates(
    pages.filter((page) => dpiOf(page) === dpi),
    { dpi, layers },
  );
  for (const page of pages) {
    signal.throwIfAborted();
    const wanting = looks.filter((look) => look.pages.includes(page));
    try {
      const plates = await inTime(render.plates(page, { dpi: dpiOf(page), layers }), pageTimeoutMs);
      health.set(page, plates.hasErrors ? 'drawing' : null);
      for (const look of wanting) look.look(page, plates);
    } catch (error) {
      signal.throwIfAborted();
      health.set(page, codeOf(error));
      for (const look of wanting) look.fail(page, codeOf(error));
      if (codeOf(error) === 'PDF_TIMEOUT') {
        giveUp(pages.slice(pages.indexOf(page) + 1));
        return;
      }
    }
  }

  /** A page that hangs the renderer takes its lanes with it: what comes after is not waited for. */
  function giveUp(rest: readonly number[]): void {
    for (const page of rest) {
      health.set(page, 'PDF_TIMEOUT');
      for (const look of looks) if (look.pages.includes(page)) look.fail(page, 'PDF_TIMEOUT');
    }
  }
}

/** The render test: pages rendered for other checks are taken as they went, the rest is drawn small. */
export function renderTestOf({ file, profile, services, signal, health }: LookOptions): RenderTest {
  return async ({ pages, dpi, timeoutMs }) => {
    const missing = pages.filter((page) => !health.has(page));
    if (missing.length > 0) {
      const render = services.render();
      const layers = layersOf[profile.considerLayers];
      render.expectPlates(missing, { dpi, layers });
      let failuresInARow = 0;
      for (const page of missing) {
        const facts = file.pages[page - 1];
        const at = facts ? fittingDpi(facts, { dpi, box: 'media', pixels: maxPixels }) : dpi;
        const reason = await attempt(render.plates(page, { dpi: at, layers }), timeoutMs);
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

async function attempt(rendering: Promise<PagePlates>, timeoutMs: number): Promise<string | null> {
  try {
    return (await inTime(rendering, timeoutMs)).hasErrors ? 'drawing' : null;
  } catch (error) {
    return codeOf(error);
  }
}

/** @throws FileFaultError PDF_TIMEOUT */
async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FileFaultError('PDF_TIMEOUT', { timeoutMs })), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
