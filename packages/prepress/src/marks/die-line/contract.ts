import { z } from 'zod';
import { flag } from '../../layouts/settings.ts';
import { technicalInk } from '../technical-ink.ts';

export const dieLineSettings = z.object({ enabled: flag(true), ...technicalInk('DieLine') }).prefault({});
