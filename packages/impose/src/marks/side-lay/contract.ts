import { word } from '@pdf2press/settings';
import { z } from 'zod';
import { flag, length } from '../../sheet/settings.ts';

export const sideLaySettings = z
  .object({
    enabled: flag(false),
    /** The sheet edge at the side lay of the press, seen from the front. */
    side: word(['Left', 'Right']).default('Left'),
    /** Distance to the gripper edge. */
    offset: length('20mm'),
    length: length('8mm', { min: 3, max: 300 }),
    width: length('2pt', { min: 0.25, max: 20, unit: 'points' }),
  })
  .prefault({});
