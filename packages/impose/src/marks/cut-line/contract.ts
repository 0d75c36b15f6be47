import { z } from 'zod';
import { flag } from '../../sheet/settings.ts';
import { technicalInk } from '../technical-ink.ts';

export const cutLineSettings = z.object({ enabled: flag(false), ...technicalInk('CutContour') }).prefault({});
