import type { StepKind } from '@pdf2press/contract';
import {
  IconArchive,
  IconArrowsSplit2,
  IconBolt,
  IconChecklist,
  IconCircleCheck,
  IconCircleX,
  IconForms,
  IconGitBranch,
  IconHandStop,
  IconLayoutGrid,
  IconPlayerPlay,
  IconTool,
  IconUserCheck,
} from '@tabler/icons-react';

/** What a step is for decides its colour; its icon says which it is. */
export type StepFamily = 'start' | 'make' | 'decide' | 'act' | 'end' | 'stop';

export const stepFaces: Record<StepKind, { icon: typeof IconBolt; family: StepFamily }> = {
  Inject: { icon: IconPlayerPlay, family: 'start' },
  Preflight: { icon: IconChecklist, family: 'make' },
  Fix: { icon: IconTool, family: 'make' },
  Impose: { icon: IconLayoutGrid, family: 'make' },
  Condition: { icon: IconGitBranch, family: 'decide' },
  Route: { icon: IconArrowsSplit2, family: 'decide' },
  Proof: { icon: IconUserCheck, family: 'decide' },
  Hold: { icon: IconHandStop, family: 'decide' },
  Action: { icon: IconBolt, family: 'act' },
  Rename: { icon: IconForms, family: 'act' },
  Retention: { icon: IconArchive, family: 'act' },
  Complete: { icon: IconCircleCheck, family: 'end' },
  Cancel: { icon: IconCircleX, family: 'stop' },
};
