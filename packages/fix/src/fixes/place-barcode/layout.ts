/** A barcode with its quiet zone and its line of text, drawn in modules from its lower left corner. */
import { type BarcodeSymbol, type GlyphOutlines, numberText } from '@pdf2press/pdf';
import { rulesOf, type Settings } from './value.ts';

export interface BarcodeDrawing {
  /** Modules. */
  width: number;
  height: number;
  /** Path operators of the bars, whose edges are whole modules. */
  bars: string;
  /** Operators that fill the text; empty without one. */
  text: string;
}

/** Heights of Helvetica, ems (Adobe Core 14 AFM: CapHeight 718, Descender -207). */
const capHeight = 0.718;
const descent = 0.207;
/** Modules between bars and digits, and by which guard bars reach down between them. */
const gap = 1;
const guardReach = 5;
/** Ems in modules: a digit takes less than the seven modules of its bars, or four beside the bars of UPC-A. */
const digitSize = 11;
const smallDigitSize = 6;
/** Modules of the outer and the middle guard, of the bars of a digit, and to the middle of a digit beside the bars. */
const guard = 3;
const middleGuard = 5;
const digitBars = 7;
const beside = 7.25;
/** Bearer bars of ITF-14 in modules, and the width of its wide bars, which may be 2.25 to 3. */
const bearer = 2;
const wideBar = 2.5;
/** Least height of bars, points: 6.35 mm. */
const leastHeight = 18;
const shareOfWidth = 0.15;

const n = (value: number): string => numberText(Math.round(value * 10_000) / 10_000);
const rect = (x: number, y: number, width: number, height: number): string =>
  `${n(x)} ${n(y)} ${n(width)} ${n(height)} re\n`;

/** @param value as it is printed below the bars */
export function drawBarcode(
  settings: Settings,
  symbol: BarcodeSymbol,
  value: string,
  outlines: GlyphOutlines,
): BarcodeDrawing {
  const [left, right] = rulesOf[settings.symbology].quiet;
  if (symbol.rows !== null) {
    const bars = symbol.bars.map((bar) => rect(left + bar.x, left + bar.y, bar.width, bar.height));
    const [width, height] = [symbol.width + left + right, symbol.rows + left + right];
    return { width, height, bars: `${bars.join('')}f\n`, text: '' };
  }
  return drawLinear(settings, settings.symbology === 'ITF-14' ? widened(symbol) : symbol, value, outlines);
}

/** The encoder makes the wide bars and spaces of ITF twice as wide as the narrow ones, which is too little for GS1. */
function widened(symbol: BarcodeSymbol): BarcodeSymbol {
  const wide = (width: number): number => (width > 1 ? wideBar : 1);
  let [at, x] = [0, 0];
  const bars = symbol.bars.map((bar) => {
    if (bar.x > at) x += wide(bar.x - at);
    const drawn = { ...bar, x, width: wide(bar.width) };
    at = bar.x + bar.width;
    x += drawn.width;
    return drawn;
  });
  return { ...symbol, width: x, bars };
}

function drawLinear(settings: Settings, symbol: BarcodeSymbol, value: string, outlines: GlyphOutlines): BarcodeDrawing {
  const { symbology, humanReadable, moduleSize } = settings;
  const [left, right] = rulesOf[symbology].quiet;
  const width = left + symbol.width + right;
  const isNumber = symbology === 'EAN-13' || symbology === 'EAN-8' || symbology === 'UPC-A';
  const text = !humanReadable
    ? { operators: '', height: 0 }
    : isNumber
      ? digitsBelow(symbology, value, left, symbol.width, outlines)
      : lineBelow(value, settings.textSize / moduleSize, width, outlines);
  const bearers = symbology === 'ITF-14' && settings.bearerBars ? bearer : 0;
  const [bottom, height] = [text.height + bearers, barHeight(settings, symbol)];
  const reach = humanReadable && isNumber ? guardReach : 0;
  const bars = symbol.bars.map((bar) => {
    const down = bar.isGuard ? reach : 0;
    return rect(left + bar.x, bottom - down, bar.width, height + down);
  });
  const frame =
    bearers === 0 ? '' : [bottom - bearers, bottom + height].map((y) => rect(0, y, width, bearers)).join('');
  return {
    width,
    height: bottom + height + bearers,
    bars: `${bars.join('')}${frame}f\n`,
    text: text.operators,
  };
}

function barHeight({ symbology, height, moduleSize }: Settings, symbol: BarcodeSymbol): number {
  if (height !== null) return height / moduleSize;
  return rulesOf[symbology].height ?? Math.max(leastHeight / moduleSize, shareOfWidth * symbol.width);
}

interface TextBelow {
  operators: string;
  /** What the text and the gap take below the bars. */
  height: number;
}

/** A line in the middle; one that is longer than the symbol with its quiet zone is made smaller. */
function lineBelow(value: string, wanted: number, width: number, outlines: GlyphOutlines): TextBelow {
  const line = outlines.text(value);
  const size = Math.min(wanted, width / Math.max(line.width, 1e-6));
  const x = (width - line.width * size) / 2;
  return { operators: placed(line.operators, size, x, descent * size), height: (descent + capHeight) * size + gap };
}

/** Each digit stands below its bars, the first of EAN-13 and the outer ones of UPC-A in the quiet zone. */
function digitsBelow(
  symbology: Settings['symbology'],
  value: string,
  left: number,
  width: number,
  outlines: GlyphOutlines,
): TextBelow {
  const isUpc = symbology === 'UPC-A';
  // The first digit of EAN-13 has no bars of its own.
  const withBars = symbology === 'EAN-13' ? value.slice(1) : value;
  const middleOf = (index: number): number =>
    guard + digitBars * (index + 0.5) + (index >= withBars.length / 2 ? middleGuard : 0);
  const draw = (digit: string, size: number, middle: number): string => {
    const { operators, width: advance } = outlines.text(digit);
    return placed(operators, size, left + middle - (advance * size) / 2, 0);
  };
  const below = [...withBars].map((digit, index) => {
    const isOuter = isUpc && (index === 0 || index === withBars.length - 1);
    if (!isOuter) return draw(digit, digitSize, middleOf(index));
    return draw(digit, smallDigitSize, index === 0 ? -beside : width + beside);
  });
  const first = symbology === 'EAN-13' ? draw(value.charAt(0), digitSize, -beside) : '';
  return { operators: first + below.join(''), height: capHeight * digitSize + gap };
}

const placed = (operators: string, size: number, x: number, y: number): string =>
  `q ${n(size)} 0 0 ${n(size)} ${n(x)} ${n(y)} cm\n${operators}Q\n`;
