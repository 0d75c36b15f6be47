import { onlyWhen } from '@pdf2press/settings';
import { z } from 'zod';
import { renameIssues, renameMessages, renameRules } from '../naming-rules.ts';
import { stepContract } from '../step.ts';

const own = { profileId: null };
const { pattern, operations, collision, scope } = renameRules;

export const renameContract = stepContract({
  kind: 'Rename',
  version: 2,
  settings: z.object({
    /** Null = by the settings beside it. */
    profileId: z.string().max(60).nullable().default(null),
    pattern: onlyWhen(own, pattern),
    operations: onlyWhen(own, operations),
    collision: onlyWhen(own, collision),
    scope: onlyWhen(own, scope),
  }),
  outcomes: ['done'],
  profile: { kind: 'renaming', isRequired: false, usesVariables: true },
  icon: 'M3 7h8M7 7v10M13 17h8M15 3h4M15 21h4M17 3v18',
  group: 'files',
  feature: 'FileRenaming',
  check: (settings, names) => (settings.profileId === null ? renameIssues(settings, names) : []),
  messages: renameMessages,
});
