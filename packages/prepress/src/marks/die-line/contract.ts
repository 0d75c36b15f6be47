import { z } from 'zod';
import { flag } from '../../layouts/settings.ts';
import { technicalInk } from '../cut-line/contract.ts';

export const dieLineSettings = z.object({ enabled: flag(true), ...technicalInk('DieLine') }).prefault({});
