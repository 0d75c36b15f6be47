import type { ProfileKind, ProfileSummary } from '@pdf2press/contract';
import { archivingProfileRoutes, cloudStorageRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import type { FieldEditorProps } from '@pdf2press/ui';
import { useHasFeature, useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { isListed, isUsable, useProfiles, useWorkflowMadeFor } from '../workflows/profile-names.ts';
import { ChoiceField } from './choice-field.tsx';
import { useRuleSurroundings } from './rule-surroundings.ts';

type Choice = Pick<ProfileSummary, 'id' | 'name' | 'organization'>;

/** What a setting can name by its id: the profiles of a kind, or workflows other than this one, as far as it may use them. */
function useChoices(of: string | null): { value: string; label: string }[] {
  const may = useMay();
  const hasFeature = useHasFeature();
  const { workflowId } = useRuleSurroundings();
  const profiles = useProfiles();
  const madeFor = useWorkflowMadeFor();
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
    // A workflow of the house may lead to everybody’s.
    workflow: workflows?.filter((one) => one.id !== workflowId && (madeFor === null || isUsable(one, madeFor))),
    archiving: policies,
    cloudStorage: storages,
  };
  const named = own[of ?? ''] ?? (isListed(kind) ? profiles[kind] : undefined) ?? [];
  const usable = of === 'workflow' ? named : named.filter((one) => isUsable(one, madeFor));
  return usable.map(({ id, name }) => ({ value: id, label: name }));
}

/** The editor of a setting that names a profile or a workflow. */
export function ReferenceField(props: FieldEditorProps) {
  return <ChoiceField {...props} choices={useChoices(props.of)} />;
}
