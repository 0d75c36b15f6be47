/** Runs the checks that need plates: each page is separated once for all of them. */
import { FileFaultError } from '@pdf2press/contract';
import { fittingDpi, type PagePlates, type PdfFile, type PlateLayers } from '@pdf2press/pdf';
import type { ProfileFrame } from '../reading/profile-frame.ts';
import type { PreflightServices, RenderTest } from '../reading/services.ts';

/** By page: why it could not be drawn completely, null if it could. Used by the render test. */
export type RenderHealth = Map<number, string | null>;

const layersOf: Record<ProfileFrame['considerLayers'], PlateLayers> = {
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

/** Several pages are separated in one run of Ghostscript, so the first page waits for the others. */
const pageTimeoutMs = 45_000;

/** Limits memory; larger pages are separated at a lower resolution. */
const maxPixels = 30_000_000;

/** The render test stops after so many failed pages in a row. */
const enoughFailures = 5;

interface LookOptions {
  file: PdfFile;
  profile: Pick<ProfileFrame, 'considerLayers'>;
  services: PreflightServices;
  signal: AbortSignal;
  health: RenderHealth;
}

/**
 * Calls `look` of each entry with the plates of each of its pages, or `fail` with the reason. All use the highest resolution
 * that one of them needs, because a second rendering takes longer than a larger one.
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

  /** After a timeout the renderer is still busy with the page, so the remaining pages are not tried. */
  function giveUp(rest: readonly number[]): void {
    for (const page of rest) {
      health.set(page, 'PDF_TIMEOUT');
      for (const look of looks) if (look.pages.includes(page)) look.fail(page, 'PDF_TIMEOUT');
    }
  }
}

/** The render test: uses the result of pages rendered for other checks and draws the others at `dpi`. */
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
