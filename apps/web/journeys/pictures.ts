import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import sharp from 'sharp';

const folder = fileURLToPath(new URL('./pictures/', import.meta.url));
const factsFile = path.join(folder, 'made-by.json');
/** Set: the reference screenshots are written again; look at them before committing. */
const isTaking = process.env.TAKE_PICTURES === '1';

/** What a screenshot depends on besides the app: the rendering of the browser, and the fonts of the system. */
interface Facts {
  chromium: string;
  /** Widths of a sample in the system's own fonts, CSS pixels. */
  fonts: number[];
}

async function factsOf(page: Page): Promise<Facts> {
  const fonts = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d');
    return ['monospace', 'sans-serif'].map((family) => {
      if (!context) return 0;
      context.font = `100px ${family}`;
      return Math.round(context.measureText('pdf2press 0123 出血').width);
    });
  });
  return { chromium: page.context().browser()?.version().split('.')[0] ?? '', fonts };
}

/** Why pictures cannot be compared here, or null. A browser that draws text differently would fail every comparison. */
export async function whyNotComparable(page: Page): Promise<string | null> {
  const here = await factsOf(page);
  if (isTaking) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(factsFile, `${JSON.stringify(here)}\n`);
    return null;
  }
  if (!existsSync(factsFile)) return 'there are no pictures';
  const there = JSON.parse(readFileSync(factsFile, 'utf8')) as Facts;
  if (here.chromium !== there.chromium)
    return `they were taken with Chromium ${there.chromium}, this is ${here.chromium}`;
  return String(here.fonts) === String(there.fonts) ? null : 'this machine has other system fonts';
}

/** Stored at half the size. */
const keptScale = 0.5;
/**
 * Compared at a quarter of the size and blurred, so that compression at the edges of letters is not a difference, while a
 * part that moved, disappeared or changed its colour is.
 */
const comparedScale = 0.25;
const comparedBlur = 0.7;
/** Of 255, in any channel. */
const tolerance = 24;
/** Share of pixels that may differ. */
const allowedShare = 0.001;

/** Raw RGB at the size that pictures are compared in. */
export const reduced = async (picture: Buffer, width: number, height: number): Promise<Buffer> =>
  sharp(picture)
    .resize(width, height, { fit: 'fill' })
    .blur(comparedBlur)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer();

/** Share of pixels of which a channel differs by more than the tolerance. */
export function differingShare(a: Buffer, b: Buffer): number {
  let differing = 0;
  for (let at = 0; at < a.length; at += 3) {
    const isOff = [0, 1, 2].some((channel) => Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)) > tolerance);
    if (isOff) differing += 1;
  }
  return differing / (a.length / 3);
}

/** Compares a screenshot with the one that is kept; answers what is wrong, or null. */
export async function comparePicture(name: string, screenshot: Buffer, failures: string): Promise<string | null> {
  const kept = path.join(folder, `${name}.webp`);
  const { width = 0, height = 0 } = await sharp(screenshot).metadata();
  if (isTaking) {
    const small = sharp(screenshot).resize(Math.round(width * keptScale), Math.round(height * keptScale));
    writeFileSync(kept, await small.webp({ quality: 70, effort: 6 }).toBuffer());
    return null;
  }
  if (!existsSync(kept)) return `${name}: no picture is kept; take it with TAKE_PICTURES=1 and look at it`;
  const [w, h] = [Math.round(width * comparedScale), Math.round(height * comparedScale)];
  const share = differingShare(await reduced(screenshot, w, h), await reduced(readFileSync(kept), w, h));
  if (share <= allowedShare) return null;
  mkdirSync(failures, { recursive: true });
  writeFileSync(path.join(failures, `${name}.png`), screenshot);
  return `${name}: ${(share * 100).toFixed(2)} % of it looks different; see ${path.join(failures, `${name}.png`)}`;
}
