import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { buildPdf } from '../testing/build-pdf.ts';
import { page, rounded } from '../testing/listen-page.ts';

/** Where a stroked path is painted, to three decimals. */
const paintedBy = (content: string): number[] => rounded(page(content).paths[0]?.painted ?? []);

const diagonal = Math.SQRT1_2 * 10;
const turned = `${diagonal} ${diagonal} ${-diagonal} ${diagonal} 100 50 cm 1 w`;

test.each<[string, string, number[]]>([
  ['a square on its corner', `${turned} 0 0 5 5 re S`, [100 - 42.426, 50 - 7.071, 100 + 42.426, 50 + 77.782]],
  ['an upright square', '4 w 50 50 20 20 re S', [48, 48, 72, 72]],
  ['round joins', `1 j ${turned} 0 0 5 5 re S`, [100 - 40.355, 50 - 5, 100 + 40.355, 50 + 75.711]],
  // The tip of an angle of 2·atan(1/5) is w/2 ÷ sin(atan(1/5)) from its corner.
  ['an arrow', '4 w 50 50 m 100 60 l 50 70 l S', [48, 48, 110.198, 72]],
  ['an arrow beyond the miter limit', '4 w 5 M 50 50 m 100 60 l 50 70 l S', [48, 48, 102, 72]],
  ['a curve whose end meets a line', '4 w 50 50 m 50 50 100 60 100 60 c 50 70 l S', [48, 48, 110.198, 72]],
  ['a line drawn wider across than up', '1 0 0 4 0 0 cm 4 w 30 M 50 12.5 m 100 15 l 50 17.5 l S', [48, 42, 140.05, 78]],
  ['square caps', '4 w 2 J 50 50 m 80 80 l S', [50 - 2.828, 50 - 2.828, 80 + 2.828, 80 + 2.828]],
  ['butt caps', '4 w 50 50 m 80 80 l S', [48, 48, 82, 82]],
  ['a closed path, which has no caps', '4 w 2 J 1 j 50 50 m 80 80 l 80 50 l h S', [48, 48, 82, 82]],
])('%s', (_, content, box) => {
  expect(paintedBy(content)).toEqual(rounded(box));
});

const shapes = [
  `${turned} 0 0 5 5 re S`,
  '8 w 50 50 m 120 70 l 50 90 l S',
  '8 w 50 50 m 120 70 l 50 90 l h S',
  '8 w 50 50 m 90 50 120 70 120 70 c 50 90 l S',
  '8 w 2 J 50 50 m 100 100 l S',
  '8 w 2 J 50 50 m 120 70 l 70 120 l S',
  '2 0 1 1 0 0 cm 8 w 30 30 m 50 40 l 30 60 l h S',
  '0 1 3 0 40 40 cm 6 w 2 J 10 10 m 50 20 l 15 40 l S',
];
test.skipIf(spawnSync('gs', ['--version']).error !== undefined)(
  'nothing that Ghostscript draws is outside (needed)',
  () => {
    const drawn = spawnSync('gs', ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-r288', '-sDEVICE=bbox', '-'], {
      input: buildPdf({ pages: shapes.map((content) => ({ content, extra: '/MediaBox [0 0 300 300]' })) }),
      encoding: 'utf8',
    });
    const boxes = [...drawn.stderr.matchAll(/HiResBoundingBox: (.*)/g)].map(([, edges = '']) =>
      edges.split(' ').map(Number),
    );
    expect(boxes).toHaveLength(shapes.length);
    for (const [at, [x0 = 0, y0 = 0, x1 = 0, y1 = 0]] of boxes.entries()) {
      const [left = 0, low = 0, right = 0, high = 0] = paintedBy(shapes[at] ?? '');
      const out = [left - x0, low - y0, x1 - right, y1 - high];
      expect(Math.max(...out), `${shapes[at]}: ${out}`).toBeLessThan(0.5);
    }
  },
);
