import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** 0 = kept without a limit. */
const days = z.int().min(0).max(3650);

export const retentionContract = stepContract({
  kind: 'Retention',
  version: 1,
  settings: z.object({
    /** How long the file as it came is kept. */
    daysSource: days.default(30),
    /** How long the files that steps made are kept. */
    daysFinal: days.default(90),
    /** What the days are counted from. */
    start: z.enum(['completed', 'created', 'lastTouched']).default('completed'),
    /** No file goes, whatever the days say. */
    isLegalHold: z.boolean().default(false),
  }),
  outcomes: ['done'],
  icon: 'M4 4h16v4H4zM5 8v11a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8M12 11v3l2 1.5',
  group: 'files',
  tells: ['daysSource', 'daysFinal', 'start', 'isLegalHold'],
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
