import { z } from 'zod';
import { flag, length } from '../../layouts/settings.ts';
import { word } from '../../layouts/word.ts';

export const sideLaySettings = z
  .object({
    enabled: flag(false),
    /** The side of the sheet, seen from the front, that lies against the press's side lay. */
    side: word(['Left', 'Right']).default('Left'),
    /** From the gripper edge. */
    offset: length('20mm'),
    length: length('8mm', { min: 3, max: 300 }),
    width: length('2pt', { min: 0.25, max: 20, unit: 'points' }),
  })
  .prefault({});
