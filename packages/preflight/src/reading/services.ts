/** Services for checks that need a rendered page; opened on first use and shared by all checks of a run. */
import type { RenderService } from '@pdf2press/pdf';

export interface PreflightServices {
  /** The rendering service; the first call opens it, later calls return the same one. */
  render: () => RenderService;
}

/** Renders pages and returns those that could not be drawn completely, with the reason as a code. Pages are 1-based. */
export type RenderTest = (options: {
  pages: readonly number[];
  dpi: number;
  /** Processor seconds that a page may take. */
  cpuSeconds: number;
}) => Promise<readonly { page: number; reason: string }[]>;
