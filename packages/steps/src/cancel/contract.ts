import { z } from 'zod';
import { messageFields, messageIssues, texted } from '../message.ts';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const settingsSchema = z.object({
  reason: z.string().trim().max(500).default('').meta({ placeholders: 'session' }),
  status: z.enum(['CanceledByOperator', 'CanceledByUser']).default('CanceledByOperator'),
  ...messageFields,
  text: texted(5000),
});
export type CancelSettings = z.output<typeof settingsSchema>;

/** Whether a message is to be sent: one that is begun has to be complete. */
export const hasMessage = ({ to, subject, text }: CancelSettings): boolean =>
  to.length > 0 || subject.trim() !== '' || text.trim() !== '';

export const cancelContract = stepContract({
  kind: 'Cancel',
  version: 2,
  settings: settingsSchema,
  outcomes: [],
  icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM9 9l6 6M15 9l-6 6',
  group: 'end',
  tells: ['reason'],
  check: (settings) => (hasMessage(settings) ? messageIssues(settings) : []),
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
