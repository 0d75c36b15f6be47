import { Anchor, Fieldset, MultiSelect, Select, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import type { Organization, WorkflowVariable } from '@pdf2press/contract';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../frame/section-card.tsx';
import { VariableInputs } from '../uploads/variable-fields.tsx';
import { CodeField } from './code-field.tsx';
import type { OrganizationFields } from './use-organization-form.ts';

interface Props {
  form: OrganizationFields;
  /** Saved already; null for a new one. */
  organization: Organization | null;
  workflows: readonly { id: string; name: string; variables: readonly WorkflowVariable[] }[];
  isFixed: boolean;
}

/** The public variables of the workflows, each name once. */
const publicOf = (workflows: Props['workflows'], ids: readonly string[]): WorkflowVariable[] => {
  const all = workflows.filter(({ id }) => ids.includes(id)).flatMap(({ variables }) => variables);
  return all.filter(({ isPublic, name }, at) => isPublic && all.findIndex((one) => one.name === name) === at);
};

/** The upload page: whether there is one, where it is, and what it offers. */
export function PageCard({ form, organization, workflows, isFixed }: Props) {
  const { t } = useTranslation();
  const { errors } = form.formState;
  const faults = errors.uploadPage;
  const ids = form.watch('uploadPage.workflowIds') ?? [];
  const slug = form.watch('uploadPage.slug') ?? '';
  const chosen = workflows.filter(({ id }) => ids.includes(id));
  const variables = publicOf(workflows, ids);
  return (
    <SectionCard title={t('organizations.page')} text={t('organizations.pageText')}>
      <Fieldset variant="unstyled" disabled={isFixed}>
        <Stack>
          <Controller
            control={form.control}
            name="uploadPage.isPublic"
            render={({ field: { value = false, ...field } }) => (
              <Switch label={t('organizations.isPublic')} checked={value} {...field} />
            )}
          />
          <TextInput
            label={t('organizations.slug')}
            description={t('organizations.slugText')}
            leftSection={<Text size="sm">/upload/</Text>}
            leftSectionWidth={74}
            maw={480}
            error={faults?.slug?.message}
            {...form.register('uploadPage.slug')}
          />
          {organization?.uploadPage.address && organization.uploadPage.slug === slug && (
            <Anchor href={organization.uploadPage.address} target="_blank" rel="noopener" size="sm">
              {organization.uploadPage.address}
            </Anchor>
          )}
          <Controller
            control={form.control}
            name="uploadPage.workflowIds"
            render={({ field: { value = [], onChange, ...field } }) => (
              <MultiSelect
                label={t('nav.workflows')}
                description={t('organizations.workflowsText')}
                searchable
                disabled={isFixed}
                data={workflows.map(({ id, name }) => ({ value: id, label: name }))}
                value={value}
                onChange={(next) => {
                  onChange(next);
                  const standard = form.getValues('uploadPage.defaultWorkflowId');
                  if (standard && !next.includes(standard))
                    form.setValue('uploadPage.defaultWorkflowId', null, { shouldDirty: true });
                }}
                error={faults?.workflowIds?.message}
                {...field}
              />
            )}
          />
          {chosen.length > 1 && (
            <Controller
              control={form.control}
              name="uploadPage.defaultWorkflowId"
              render={({ field: { value = null, onChange, ...field } }) => (
                <Select
                  label={t('organizations.defaultWorkflow')}
                  description={t('organizations.defaultWorkflowText')}
                  maw={480}
                  allowDeselect={false}
                  disabled={isFixed}
                  data={[
                    { value: '', label: t('organizations.chooseThere') },
                    ...chosen.map(({ id, name }) => ({ value: id, label: name })),
                  ]}
                  value={value ?? ''}
                  onChange={(id) => onChange(id || null)}
                  {...field}
                />
              )}
            />
          )}
          {variables.length > 0 && (
            <Fieldset legend={t('organizations.defaults')}>
              <Controller
                control={form.control}
                name="uploadPage.defaults"
                render={({ field: { value = {}, onChange } }) => (
                  <VariableInputs
                    variables={variables.map((variable) => ({ ...variable, isRequired: false }))}
                    values={value}
                    onChange={onChange}
                    faultOf={(name) => faults?.defaults?.[name]?.message}
                  />
                )}
              />
            </Fieldset>
          )}
          <Controller
            control={form.control}
            name="uploadPage.frameOrigins"
            render={({ field: { value = [], ...field }, fieldState }) => (
              <TagsInput
                label={t('organizations.frames')}
                description={t('organizations.framesText')}
                placeholder={value.length === 0 ? 'https://printer.example' : ''}
                disabled={isFixed}
                value={value}
                error={fieldState.error && t('organizations.framesFault')}
                {...field}
              />
            )}
          />
          {organization && <CodeField organization={organization} isFixed={isFixed} />}
        </Stack>
      </Fieldset>
    </SectionCard>
  );
}
