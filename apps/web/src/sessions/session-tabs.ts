import type { Session } from '@pdf2press/contract';

const sideTabs = ['findings', 'fixes', 'files', 'variables', 'log'] as const;
export type SideTab = (typeof sideTabs)[number];

type Steps = { steps: readonly Pick<Session['steps'][number], 'kind'>[] };
const hasStep = ({ steps }: Steps, kind: Session['steps'][number]['kind']): boolean =>
  steps.some((step) => step.kind === kind);

/** The tabs of a session, in the order of their keys; fixes are one only where a fix step has run. */
export const tabsOf = (session: Steps): readonly SideTab[] =>
  sideTabs.filter((key) => key !== 'fixes' || hasStep(session, 'Fix'));

/** The tab that a session opens on: its findings, unless nothing was checked and something fixed. */
export const openingTab = (session: Steps): SideTab =>
  !hasStep(session, 'Preflight') && hasStep(session, 'Fix') ? 'fixes' : 'findings';
