import { type Matrix, multiply, type PageFacts, transformPages, transformRect } from '@pdf2press/pdf';
import { boxText, changeable, heightOf, widthOf } from '../../editing/boxes.ts';
import type { FixContext, FixRunner } from '../../kind/runner.ts';
import type { rotatePages } from './contract.ts';

const turns = {
  None: 0,
  Clockwise: 90,
  UpsideDown: 180,
  Counterclockwise: 270,
  ToPortrait: 90,
  ToLandscape: 90,
} as const;

/** Degrees clockwise by which the displayed page is rotated. */
function turnOf(page: PageFacts, turn: FixContext<typeof rotatePages>['settings']['turn']): number {
  if (turn !== 'ToPortrait' && turn !== 'ToLandscape') return turns[turn];
  const { trim } = page.effective;
  const isSideways = page.rotate === 90 || page.rotate === 270;
  const [width, height] = isSideways ? [heightOf(trim), widthOf(trim)] : [widthOf(trim), heightOf(trim)];
  const isWrong = turn === 'ToPortrait' ? width > height : height > width;
  return isWrong ? turns[turn] : 0;
}

/** Rotates clockwise and scales; the lower left corner of the MediaBox stays in place. */
function bakingMatrix(page: PageFacts, degrees: number, scale: number): Matrix {
  const { media } = page.effective;
  const turn: Matrix = (
    [
      [1, 0, 0, 1, 0, 0],
      [0, -1, 1, 0, 0, 0],
      [-1, 0, 0, -1, 0, 0],
      [0, 1, -1, 0, 0, 0],
    ] as const
  )[degrees / 90] ?? [1, 0, 0, 1, 0, 0];
  const turned = multiply(turn, [scale, 0, 0, scale, 0, 0]);
  const box = transformRect(turned, media);
  return multiply(turned, [1, 0, 0, 1, media[0] * scale - box[0], media[1] * scale - box[1]]);
}

export const run: FixRunner<typeof rotatePages> = ({ settings, pageFacts, edit, log }) => {
  const moves: { page: PageFacts; matrix: Matrix }[] = [];
  for (const page of changeable(pageFacts)) {
    const turn = turnOf(page, settings.turn);
    const wanted = (((page.rotateAsWritten + turn) % 360) + 360) % 360;
    const rotate = wanted % 90 === 0 ? wanted : 0;
    const scale = settings.removeUserUnit ? page.userUnit : 1;
    const degrees = settings.bake ? rotate : 0;
    const key = settings.bake ? 0 : rotate;
    if (degrees !== 0 || scale !== 1) moves.push({ page, matrix: bakingMatrix(page, degrees, scale) });
    if (turn !== 0 || (settings.bake && page.rotateAsWritten !== 0)) {
      edit.putPage(page, 'Rotate', key);
      log({
        what: settings.bake ? 'baked' : 'turned',
        page: page.number,
        before: String(page.rotateAsWritten),
        after: String(rotate),
        parameter: turn !== 0 ? 'turn' : 'bake',
      });
    }
    if (scale !== 1) {
      edit.putPage(page, 'UserUnit', undefined);
      log({
        what: 'userUnit',
        page: page.number,
        before: String(page.userUnit),
        after: '1',
        parameter: 'removeUserUnit',
        params: { media: boxText(page.effective.media) },
      });
    }
  }
  if (moves.length > 0) transformPages(edit, moves);
};
