/** Converts colour wherever it occurs: operators, images, shadings, groups, annotations. */
import type { ColorSpace } from '@pdf2press/pdf';
import type { FixContext } from '../../kind/runner.ts';
import { pruneResources } from '../prune-resources.ts';
import { setBlendSpaces } from './blend-spaces.ts';
import { convertImages, convertInline } from './convert-images.ts';
import { findColour } from './find-colour.ts';
import { findLooseColours } from './loose-colours.ts';
import { type RecolourOptions, recolouring } from './recolouring.ts';
import { rewriteColour } from './rewrite-colour.ts';

export async function recolour(context: FixContext, options: RecolourOptions): Promise<void> {
  const { edit } = context;
  const job = recolouring(context, options);
  const found = findColour(job);
  const loose = findLooseColours(job);
  if (!found.changes && loose.length === 0) return;
  const copies = await convertImages(job, found.images);
  const inline = await convertInline(job, found.inline);
  setBlendSpaces(job, found);
  rewriteColour(job, { copies, inline });
  for (const put of loose) put();
  edit.markChanged();
  if (options.target)
    for (const page of context.pageFacts) if (page.dict.map.has('Thumb')) edit.putPage(page, 'Thumb', undefined);
  prune(context, options);
}

/**
 * Removes unused resources. Colour spaces only after a conversion of everything, because images also refer to them by
 * name.
 */
function prune(context: FixContext, options: RecolourOptions): void {
  const { operators, images, shadings } = options.converts;
  const isWhole = context.pages.length === context.file.pageCount && operators && images && shadings;
  if (!isWhole) {
    pruneResources(context.edit, ['XObject', 'Pattern', 'Shading', 'ExtGState']);
    return;
  }
  const defaults = Object.entries(defaultOf)
    .filter(([, device]) => device.family === options.target || options.mapSpace(device, false) !== null)
    .map(([name]) => name);
  pruneResources(context.edit, ['XObject', 'Pattern', 'Shading', 'ColorSpace', 'ExtGState'], defaults);
}

/** Default colour spaces (ISO 32000-1, 8.6.5.6) and the device spaces they replace. */
const defaultOf = {
  DefaultGray: { family: 'DeviceGray', components: 1, object: 0 },
  DefaultRGB: { family: 'DeviceRGB', components: 3, object: 0 },
  DefaultCMYK: { family: 'DeviceCMYK', components: 4, object: 0 },
} as const satisfies Record<string, ColorSpace>;
