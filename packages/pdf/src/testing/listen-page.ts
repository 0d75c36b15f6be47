import { expect } from 'vitest';
import { interpretPage } from '../interpret/interpret-page.ts';
import type { ImageEvent, PathEvent, RunEvent, ShadingEvent, SyntaxEvent, TextEvent } from '../interpret/types.ts';
import type { WalkOptions } from '../interpret/walk.ts';
import type { PdfSource } from './build-pdf.ts';
import { withPdf } from './open-built.ts';

/** The events of a page, by kind. */
export interface Heard {
  texts: TextEvent[];
  paths: PathEvent[];
  images: ImageEvent[];
  shadings: ShadingEvent[];
  runs: RunEvent[];
  syntax: SyntaxEvent[];
}

/** Interprets page 1 of a built PDF, and checks that its listeners agree with each other. */
export function listen(source: PdfSource, options: WalkOptions = {}): Heard {
  const heard: Heard = { texts: [], paths: [], images: [], shadings: [], runs: [], syntax: [] };
  withPdf(source, (file) =>
    interpretPage(
      file,
      1,
      [
        {
          text: (event) => {
            // The callback of a glyph may be called after the event, but only while the file is open.
            const glyphs = event.glyphs().map(({ code, codeBytes, x, y }) => [code, codeBytes, x, y]);
            const codes: number[][] = [];
            event.eachCode((...code) => codes.push(code));
            expect(codes).toEqual(glyphs);
            const boxes: (string | number)[][] = [];
            event.eachBox((code, ...[x0, y0, x1, y1]) => boxes.push([event.unicodeOf(code), x0, y0, x1, y1]));
            expect(boxes).toEqual(event.glyphs().map(({ unicode, bbox }) => [unicode, ...bbox]));
            heard.texts.push(event);
          },
          path: (event) => heard.paths.push(event),
          paint: ({ place, paints, state }) => {
            // A listener for paint events gets the same paths with the same states.
            const path = heard.paths.at(-1);
            expect([place, paints]).toEqual([path?.place, path?.paints]);
            expect(state).toBe(path?.state);
          },
          image: (event) => heard.images.push(event),
          shading: (event) => heard.shadings.push(event),
          runBegin: (event) => heard.runs.push(event),
          syntax: (event) => heard.syntax.push(event),
        },
      ],
      options,
    ),
  );
  return heard;
}

/** The events of a page with this content. */
export const page = (content: string, resources = '', objects: PdfSource['objects'] = {}, extra = ''): Heard =>
  listen({ pages: [{ content, resources, extra }], objects });
/** To three decimals. */
export const rounded = (rect: readonly number[]): number[] => rect.map((value) => Math.round(value * 1000) / 1000);
/** The box of a single path. */
export const boxOf = (content: string): number[] => rounded(page(content).paths[0]?.bbox ?? []);
