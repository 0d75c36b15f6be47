import type { Session } from '@pdf2press/contract';

const sideTabs = ['findings', 'fixes', 'proofs', 'files', 'variables', 'messages', 'comments', 'log'] as const;
export type SideTab = (typeof sideTabs)[number];

type Steps = { steps: readonly Pick<Session['steps'][number], 'kind'>[] };
const hasStep = ({ steps }: Steps, kind: Session['steps'][number]['kind']): boolean =>
  steps.some((step) => step.kind === kind);

/** Tabs that a session has only with a step of this kind. */
const stepOfTab: Partial<Record<SideTab, Session['steps'][number]['kind']>> = { fixes: 'Fix', proofs: 'Proof' };

/** The tabs of a session, in their order; comments for those who may discuss sessions. */
export const tabsOf = (session: Steps, mayDiscuss = false): readonly SideTab[] =>
  sideTabs.filter((key) => {
    if (key === 'comments') return mayDiscuss;
    const kind = stepOfTab[key];
    return kind === undefined || hasStep(session, kind);
  });

/** The initial tab: findings, or fixes if the session was fixed but not checked. */
export const openingTab = (session: Steps): SideTab =>
  !hasStep(session, 'Preflight') && hasStep(session, 'Fix') ? 'fixes' : 'findings';
