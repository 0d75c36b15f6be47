import type { Session } from '@pdf2press/contract';

const sideTabs = ['findings', 'fixes', 'files', 'variables', 'log'] as const;
export type SideTab = (typeof sideTabs)[number];

type Steps = { steps: readonly Pick<Session['steps'][number], 'kind'>[] };
const hasStep = ({ steps }: Steps, kind: Session['steps'][number]['kind']): boolean =>
  steps.some((step) => step.kind === kind);

/** The tabs of a session; the fixes tab exists only if a fix step has run. */
export const tabsOf = (session: Steps): readonly SideTab[] =>
  sideTabs.filter((key) => key !== 'fixes' || hasStep(session, 'Fix'));

/** The initial tab: findings, or fixes if the session was fixed but not checked. */
export const openingTab = (session: Steps): SideTab =>
  !hasStep(session, 'Preflight') && hasStep(session, 'Fix') ? 'fixes' : 'findings';
