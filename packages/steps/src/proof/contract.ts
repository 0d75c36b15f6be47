import { pageLevels, proofProfileSchema, type SettingIssue } from '@pdf2press/contract';
import { checkPlaceholders, type KnownNames, knownNames } from '@pdf2press/settings';
import { z } from 'zod';
import { addressesIn } from '../message.ts';
import { stepContract } from '../step.ts';
import en from './messages.en.json' with { type: 'json' };
import es from './messages.es.json' with { type: 'json' };
import fr from './messages.fr.json' with { type: 'json' };
import it from './messages.it-IT.json' with { type: 'json' };
import pt from './messages.pt.json' with { type: 'json' };
import zh from './messages.zh.json' with { type: 'json' };

const settingsSchema = z.object({
  profileId: z.string().min(1),
  /** Adds the exit Expired, for profiles whose proofs expire at their deadline. */
  hasExpiredExit: z.boolean().default(false),
  /** `profile`: as the profile says; else whether recipients decide on the file as a whole or on each page. */
  pageLevel: z.enum(['profile', ...pageLevels]).default('profile'),
});

/** Two exits that every step has, and one that its settings add. */
type Exit = 'Approved' | 'Declined' | 'Expired';

/** What is wrong with an address that a profile names: a name that the workflow does not have, or no address. */
function addressIssues(address: string, known: KnownNames): SettingIssue[] {
  if (address.includes('{{')) return checkPlaceholders(address, known).map(({ code, params }) => ({ code, params }));
  const isAddress = addressesIn(address).every((each) => z.email().safeParse(each).success);
  return isAddress ? [] : [{ code: 'value.email' }];
}

export const proofContract = stepContract<'Proof', typeof settingsSchema, Exit>({
  kind: 'Proof',
  version: 1,
  settings: settingsSchema,
  outcomes: ['Approved', 'Declined'],
  portsOf: ({ hasExpiredExit }) => (hasExpiredExit === true ? [{ id: 'Expired', name: '' }] : []),
  inTrials: { answers: ['Approved', 'Declined'], isNotRun: true },
  profile: { kind: 'proofing', isRequired: true },
  icon: 'M13 3H6a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h5M13 3l5 5v3M13 3v5h5M13.5 18l2.5 2.5 5-5.5',
  group: 'people',
  checkProfile: (profile, { settings, variables, assigneeIds }) => {
    const read = proofProfileSchema.safeParse(profile);
    if (!read.success)
      return [{ code: 'profile.invalid', params: { field: read.error.issues[0]?.path.join('.') ?? '' } }];
    const known = knownNames({ variables });
    const { approvers, onDeadline, deadlineHours, escalateTo, reminder, allowDownload, watermark, details } = read.data;
    const inCopy = allowDownload === 'lowResolution' ? knownNames({ scope: 'proof', variables }) : null;
    const named = [...approvers, ...(onDeadline === 'Escalate' ? escalateTo : []), ...reminder.cc];
    const lacksExit = onDeadline === 'Expire' && deadlineHours !== null && settings.hasExpiredExit !== true;
    return [
      ...(lacksExit ? [{ code: 'workflow.proofExitMissing', field: 'hasExpiredExit' }] : []),
      ...(inCopy ? checkPlaceholders(watermark, inCopy).map(({ code, params }) => ({ code, params })) : []),
      ...details.flatMap(({ value }) => checkPlaceholders(value, known).map(({ code, params }) => ({ code, params }))),
      ...named.flatMap((person): SettingIssue[] => {
        if (person.kind === 'assignee') return assigneeIds.has(person.id) ? [] : [{ code: 'workflow.assigneeGone' }];
        return [
          ...addressIssues(person.address, known),
          ...checkPlaceholders(person.name, known).map(({ code, params }) => ({ code, params })),
        ];
      }),
    ].map((issue) => ({ field: 'profileId', ...issue }));
  },
  messages: { en, zh, fr, es, pt, 'it-IT': it },
});
