import { z } from 'zod';
import { attachment } from '../../layouts/attachment.ts';
import { flag } from '../../layouts/settings.ts';
import { barPlace } from '../bar.ts';

export const colorBarSettings = z
  .object({
    enabled: flag(false),
    ...barPlace,
    edge: barPlace.edge.default('Top'),
    /** Repeated as often as the edge has room. */
    fill: flag(false),
    /** A strip as PDF instead of the patches: its first page's trim, never scaled. */
    strip: attachment(['.pdf']),
  })
  .prefault({});
