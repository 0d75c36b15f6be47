import { type MessageFiles, retentionRules } from '@pdf2press/contract';
import { onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

/** Also the words of a policy, whose settings are these. */
export const retentionMessages: MessageFiles = { en, zh, fr, es, pt, 'it-IT': it };

const own = { profileId: null };

export const retentionContract = stepContract({
  kind: 'Retention',
  version: 2,
  settings: z.object({
    /** The policy; null = by the settings beside it. */
    profileId: z.string().max(60).nullable().default(null),
    daysSource: onlyWhen(own, retentionRules.daysSource),
    daysFinal: onlyWhen(own, retentionRules.daysFinal),
    start: onlyWhen(own, retentionRules.start),
    noticeDays: onlyWhen(own, retentionRules.noticeDays),
    isLegalHold: onlyWhen(own, retentionRules.isLegalHold),
    keepsThumbnails: onlyWhen(own, retentionRules.keepsThumbnails),
    keepsRecord: onlyWhen(own, retentionRules.keepsRecord),
    archives: onlyWhen(own, retentionRules.archives),
    archivingPolicyId: onlyWhen(own, retentionRules.archivingPolicyId),
  }),
  outcomes: ['done'],
  profile: { kind: 'retention', isRequired: false },
  icon: 'M4 4h16v4H4zM5 8v11a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8M12 11v3l2 1.5',
  group: 'files',
  tells: ['daysSource', 'daysFinal', 'start', 'isLegalHold'],
  messages: retentionMessages,
});
