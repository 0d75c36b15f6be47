import type { ProfileKind, ProfileSummary } from '@pdf2press/contract';
import { archivingProfileRoutes, cloudStorageRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useHasFeature, useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { isListed, isUsable, useMadeForNow, useProfiles } from '../workflows/profile-names.ts';
import { ChoiceField } from './choice-field.tsx';
import { useRuleSurroundings } from './rule-surroundings.ts';

type Choice = Pick<ProfileSummary, 'id' | 'name' | 'organization'>;

interface Choices {
  usable: readonly Choice[];
  /** Made for another organization. */
  others: readonly Choice[];
}

/** What a setting can name by its id: the profiles of a kind, or workflows other than this one, as far as it may use them. */
function useChoices(of: string | null): Choices {
  const may = useMay();
  const hasFeature = useHasFeature();
  const { workflowId } = useRuleSurroundings();
  const profiles = useProfiles();
  const madeFor = useMadeForNow();
  const workflows = useCall(
    workflowRoutes.list,
    { query: { pageSize: 100 } },
    { enabled: of === 'workflow' && may('workflows.view') },
  ).data?.items;
  const policies = useCall(
    archivingProfileRoutes.list,
    { query: { pageSize: 100 } },
    { enabled: of === 'archiving' && may('archiving.view') && hasFeature('Archiving') },
  ).data?.items;
  const storages = useCall(
    cloudStorageRoutes.list,
    { query: { pageSize: 100 } },
    { enabled: of === 'cloudStorage' && may('cloudStorage.view') && hasFeature('CloudInjection') },
  ).data?.items;
  const kind = of as ProfileKind;
  const own: Readonly<Record<string, readonly Choice[] | undefined>> = {
    workflow: workflows?.filter((one) => one.id !== workflowId),
    archiving: policies,
    cloudStorage: storages,
  };
  const named = own[of ?? ''] ?? (isListed(kind) ? profiles[kind] : undefined) ?? [];
  // What is the house's may lead to everybody's workflows.
  const isOpen = (one: Choice) => (of === 'workflow' && madeFor === null) || isUsable(one, madeFor);
  return { usable: named.filter(isOpen), others: named.filter((one) => !isOpen(one)) };
}

/** The editor of a setting that names a profile or a workflow. One that became another organization's is told at once. */
export function ReferenceField(props: FieldEditorProps) {
  const { t } = useTranslation();
  const { usable, others } = useChoices(props.of);
  const chosen: unknown = useWatch({ control: props.control, name: props.name });
  const other = others.find(({ id }) => id === chosen);
  const told =
    other && props.of === 'workflow'
      ? t('organization.workflowElsewhere')
      : other && props.of === 'cloudStorage'
        ? t('organization.storageElsewhere')
        : undefined;
  const choices = (other ? [other, ...usable] : usable).map(({ id, name }) => ({ value: id, label: name }));
  return <ChoiceField {...props} fault={props.fault ?? told} choices={choices} />;
}
