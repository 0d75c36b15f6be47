import { z } from 'zod';
import { units } from './units.ts';

export const unitSchema = z.enum(units);
