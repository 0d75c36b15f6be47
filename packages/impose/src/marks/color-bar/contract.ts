import { z } from 'zod';
import { attachment } from '../../sheet/attachment.ts';
import { flag } from '../../sheet/settings.ts';
import { barPlace } from '../bar.ts';

export const colorBarSettings = z
  .object({
    enabled: flag(false),
    ...barPlace,
    edge: barPlace.edge.default('Top'),
    /** Repeat the bar as often as the edge has room. */
    fill: flag(false),
    /** A colour bar as PDF in place of the patches: the trim of its first page, unscaled. */
    strip: attachment(['.pdf']),
  })
  .prefault({});
