import { z } from 'zod';
import { flag } from '../../sheet/settings.ts';
import { technicalInk } from '../technical-ink.ts';

export const dieLineSettings = z.object({ enabled: flag(true), ...technicalInk('DieLine') }).prefault({});
