/** What checks that look at a picture of the page ask for: made once per run, shared, and only when a check asks. */
import type { RenderService } from '@pdf2press/pdf';

export interface PreflightServices {
  /** Opens the rendering service at the first call; later calls give the same one. */
  render: () => RenderService;
}

/** Renders pages to see whether a second engine can; answers which it could not, and why. */
export type RenderTest = (options: {
  pages: readonly number[];
  dpi: number;
  timeoutMs: number;
}) => Promise<readonly { page: number; reason: string }[]>;
