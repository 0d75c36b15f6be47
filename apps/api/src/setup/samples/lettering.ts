/**
 * Letters as strokes on a grid of 4 × 6, for words that are "converted to outlines": a sample must not depend on a font.
 * Each letter is polylines of grid points `xy`; `.` stands for lifting the pen.
 */
const strokes: Record<string, string> = {
  A: '00 26 40.12 32',
  B: '00 06 36 45 43 33 03.33 42 41 30 00',
  C: '46 16 05 01 10 40',
  D: '00 06 26 44 42 20 00',
  E: '46 06 00 40.03 33',
  F: '46 06 00.03 33',
  G: '46 16 05 01 10 40 43 23',
  H: '00 06.03 43.46 40',
  I: '20 26',
  J: '46 41 30 10 01',
  K: '06 00.46 03 40',
  L: '06 00 40',
  M: '00 06 23 46 40',
  N: '00 06 40 46',
  O: '10 01 05 16 36 45 41 30 10',
  P: '00 06 36 45 44 33 03',
  Q: '10 01 05 16 36 45 41 30 10.22 40',
  R: '00 06 36 45 44 33 03.23 40',
  S: '46 16 05 04 13 33 42 41 30 00',
  T: '06 46.26 20',
  U: '06 01 10 30 41 46',
  V: '06 20 46',
  W: '06 10 23 30 46',
  X: '00 46.06 40',
  Y: '06 23 46.23 20',
  Z: '06 46 00 40',
  '0': '10 01 05 16 36 45 41 30 10',
  '1': '14 26 20',
  '2': '05 16 36 45 44 00 40',
  '3': '06 46 23 32 41 30 00',
  '5': '46 06 03 33 42 41 30 00',
  '4': '30 36 01 41',
  '6': '36 04 01 10 30 41 42 33 03',
  '7': '06 46 10',
  '8': '13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33',
  '9': '10 42 45 36 16 05 04 13 43',
  '.': '20 20',
  '-': '03 43',
  '+': '03 43.21 25',
  '%': '00 46.05 15 16 06 05.31 41 40 30 31',
  '@': '33 22 32 34 43 41 30 10 01 05 16 36 45',
};

/** Content operators that stroke a line of capitals with the current pen. `size` is the height of a capital in points. */
export function letter(words: string, x: number, y: number, size: number): string {
  const unit = size / 6;
  let pen = x;
  let out = `1 J 1 j ${(unit * 0.75).toFixed(3)} w\n`;
  for (const character of words.toUpperCase()) {
    for (const line of (strokes[character] ?? '').split('.').filter(Boolean)) {
      const points = line.split(' ').map((point) => {
        const [column = 0, row = 0] = [...point].map(Number);
        return `${(pen + column * unit).toFixed(2)} ${(y + row * unit).toFixed(2)}`;
      });
      out += `${points[0]} m ${points
        .slice(1)
        .map((point) => `${point} l`)
        .join(' ')} S\n`;
    }
    pen += (character === ' ' ? 3.2 : character === 'I' || character === '.' ? 4.6 : 5.8) * unit;
  }
  return out;
}
