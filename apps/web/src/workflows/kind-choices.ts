import type { StepKind } from '@pdf2press/contract';
import type { StepGroup } from '@pdf2press/steps/contracts';
import { useTranslation } from 'react-i18next';
import { useHasFeature } from '../account/use-me.ts';
import { useFlow } from './builder-store.ts';
import { buildableKinds, featureOf, groupOf, kindLabel, kindWord, shownGroups, whyNotAdd } from './step-kinds.ts';
import { useMayEditKind } from './step-permissions.ts';

export interface KindChoice {
  kind: StepKind;
  group: StepGroup;
  label: string;
  help: string;
  /** The rule that keeps it from being added, in words. */
  refusal: string | null;
  /** The workflow takes one of it, and has it. */
  isUsed: boolean;
  isLacking: boolean;
}

/** The kinds of step that the reader can add, in the order of their groups, each with what keeps it from being added. */
export function useKindChoices(): KindChoice[] {
  const { t, i18n } = useTranslation();
  const draft = useFlow();
  const has = useHasFeature();
  const mayEdit = useMayEditKind();
  const inOrder = shownGroups.flatMap((group) => buildableKinds.filter((kind) => groupOf(kind) === group));
  const allowed = inOrder.filter(mayEdit);
  return allowed.map((kind) => {
    const rule = whyNotAdd(draft, kind);
    const isLacking = !has(featureOf(kind));
    return {
      kind,
      group: groupOf(kind),
      label: kindLabel(kind, i18n.language),
      help: kindWord(kind, 'help', i18n.language) ?? '',
      refusal: rule ? t(rule) : isLacking ? t('workflow.featureNotInPlan') : null,
      isUsed: rule !== null,
      isLacking,
    };
  });
}
