import { ActionIcon, Button, Drawer, Group, Select, Stack, Text } from '@mantine/core';
import { mostInBatch, variablesSchema } from '@pdf2press/contract';
import { systemRoutes, workflowRoutes } from '@pdf2press/contract/calls';
import { IconFileTypePdf, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { z } from 'zod';
import { CallError, failureText } from '../client/call-error.ts';
import { useCall } from '../client/queries.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { formatSize } from '../language/formats.ts';
import { MadeForField, useLacksMadeFor } from '../organizations/made-for-field.tsx';
import { preferenceKey, readKey, writeKey } from '../preferences/kept.ts';
import { AddressField } from './address-field.tsx';
import { addressesIn, handInAddresses } from './fetches.ts';
import { FileField } from './file-field.tsx';
import { closeInjection, useInjection } from './injection.ts';
import { asksRequired, isSidecar, problemOf, readSidecars, type Takes, typeFault } from './taken-files.ts';
import { enqueue } from './upload-queue.ts';
import { VariableFields } from './variable-fields.tsx';

const lastWorkflowKey = preferenceKey('last-workflow');

/** The form for submitting files: files, workflow and its variables. */
export function InjectionDrawer() {
  const { t } = useTranslation();
  const { isOpen } = useInjection();
  return (
    <Drawer
      opened={isOpen}
      onClose={closeInjection}
      position="right"
      size={480}
      title={t('sessions.new')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {isOpen && <InjectionForm />}
    </Drawer>
  );
}

/** The workflows that take files, and the chosen one: the last used, or the only one, until somebody chooses. */
function useChosenWorkflow(wanted: string | null) {
  const workflows = useCall(workflowRoutes.list, { query: { pageSize: 100, isEnabled: 'true' } });
  const ready = (workflows.data?.items ?? []).filter((one) => one.isEnabled && one.publishedVersion !== null);
  const [chosen, setChosen] = useState<string | null>(wanted);
  const remembered = readKey(lastWorkflowKey);
  const workflow =
    ready.find((one) => one.id === chosen) ??
    ready.find((one) => one.id === remembered) ??
    (ready.length === 1 ? ready[0] : undefined);
  return { workflows, ready, workflow, setChosen };
}

/** What is wrong with each chosen file; `all` holds the form's files, for faults that depend on the files beside one. */
function useFileFaults(takes: Takes | undefined, limit: number | null) {
  const { t } = useTranslation();
  const all = useRef<readonly File[]>([]);
  const isBeside = (file: File) => isSidecar(file, all.current, takes);
  const faultOf = (file: File): string | null => {
    if (file.size === 0) return t('file.empty');
    if (limit !== null && file.size > limit) return t('file.tooLarge', { limit: formatSize(limit) });
    const code = isBeside(file) ? null : typeFault(file, takes);
    return code && t(code, { types: takes?.types.join(', ') });
  };
  return { all, faultOf, isGood: (file: File) => faultOf(file) === null && !isBeside(file) };
}

/**
 * Whose sessions the files become, where the workflow is the whole house's and so does not say it. Somebody of several
 * organizations must choose.
 */
function useOrganizationChoice(isAsked: boolean) {
  const { t } = useTranslation();
  const lacks = useLacksMadeFor();
  const [chosen, setChosen] = useState<string | null>();
  const [isTried, setTried] = useState(false);
  const isMissing = isAsked && lacks(chosen);
  return {
    chosen: isAsked ? (chosen ?? undefined) : undefined,
    isLacking: (): boolean => {
      setTried(true);
      return isMissing;
    },
    field: isAsked && (
      <MadeForField
        value={chosen}
        before={undefined}
        text={t('upload.organizationText')}
        error={isTried && isMissing ? t('organization.choose') : undefined}
        onChange={setChosen}
      />
    ),
  };
}

function InjectionForm() {
  const { t } = useTranslation();
  const { dropped, workflowId: wanted } = useInjection();
  const info = useCall(systemRoutes.appInfo, undefined, { staleTime: Number.POSITIVE_INFINITY });
  const { workflows, ready, workflow, setChosen } = useChosenWorkflow(wanted);
  const limit = info.data?.maxUploadBytes ?? null;
  const takes = workflow?.takes;
  const organization = useOrganizationChoice(workflow?.organization === null);
  const { all, faultOf, isGood } = useFileFaults(takes, limit);
  const typed = useRef<readonly string[]>([]);
  const asked = z.object({
    // Invalid files show their fault in the list and are skipped.
    files: z
      .array(z.instanceof(File))
      .refine((given) => given.some(isGood) || typed.current.length > 0, { params: { code: 'file.missing' } })
      .transform((given) => given.filter(isGood)),
    addresses: z
      .string()
      .transform(addressesIn)
      .refine((given) => given.length <= mostInBatch, {
        params: { code: 'value.tooMany', params: { max: mostInBatch } },
      }),
    workflowId: z.string().min(1),
    variables: variablesSchema(
      (workflow?.variables ?? []).map((variable) => ({
        ...variable,
        isRequired: variable.isRequired && (!takes || asksRequired(variable.name, all.current.filter(isGood), takes)),
      })),
    ),
  });
  const { control, handleSubmit, register, setValue, setError, getValues, watch, formState } = useSchemaForm(asked, {
    defaultValues: { files: [], addresses: '', workflowId: '', variables: {} },
  });
  const workflowId = workflow?.id ?? '';
  useEffect(() => setValue('workflowId', workflowId), [workflowId, setValue]);
  const setFiles = (next: File[]) => setValue('files', next, { shouldValidate: formState.isSubmitted });
  const add = (more: readonly File[]) => setFiles([...getValues('files'), ...more]);
  useEffect(() => add(dropped), [dropped]);
  const files = watch('files');
  all.current = files;
  typed.current = addressesIn(watch('addresses'));
  const count = files.filter(isGood).length + typed.current.length;

  // Submitted before the workflows were loaded: continues when they are.
  const isWaiting = useRef(false);
  const send = () => {
    isWaiting.current = workflows.isPending;
    if (isWaiting.current) return;
    void handleSubmit(async (given) => {
      if (!workflow || organization.isLacking()) return;
      try {
        const sidecars = await readSidecars(given.files, all.current, workflow);
        writeKey(lastWorkflowKey, given.workflowId);
        const { workflowId: id, variables } = given;
        const handIn = { workflowId: id, organizationId: organization.chosen, variables };
        const refused = await handInAddresses(given.addresses, handIn);
        enqueue(given.files, handIn, sidecars);
        if (refused.length === 0) return closeInjection();
        // What was taken is on its way; what was not stays to be put right.
        setFiles([]);
        setValue('addresses', refused.map(({ address }) => address).join('\n'));
        const reasons = refused.map(({ address, reason }) => (refused.length > 1 ? `${address}: ${reason}` : reason));
        setError('addresses', { message: reasons.join('\n') });
      } catch (error) {
        if (error instanceof CallError) return setError('addresses', { message: failureText(error, t) });
        const problem = problemOf(error);
        if (!problem) throw error;
        setError('files', { message: t(problem.code, { ...problem.params }) });
      }
    })();
  };
  useEffect(() => {
    if (isWaiting.current && !workflows.isPending) send();
  }, [workflows.isPending]);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack>
        <FileField onFiles={add} limit={limit === null ? null : formatSize(limit)} />
        {formState.errors.files && (
          <Text c="var(--p2p-error)" size="sm" role="alert">
            {formState.errors.files.message}
          </Text>
        )}
        <AddressField field={register('addresses')} error={formState.errors.addresses?.message} />
        <ChosenFiles files={files} faultOf={faultOf} onChange={setFiles} />
        <WorkflowSelect
          ready={workflows.data && ready}
          chosen={workflow?.id ?? null}
          onChoose={setChosen}
          error={workflow ? undefined : formState.errors.workflowId?.message}
        />
        {organization.field}
        {workflow && workflow.variables.length > 0 && (
          <VariableFields variables={workflow.variables} control={control} />
        )}
        <Group justify="end" mt="sm">
          <Button variant="default" onClick={closeInjection}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={formState.isSubmitting}>
            {count === 0 ? t('upload.handIn') : t('upload.send', { count })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The workflow that the files go to; says where one is made while there is none. */
function WorkflowSelect({
  ready,
  chosen,
  onChoose,
  error,
}: {
  /** The workflows that take files; undefined = not loaded yet. */
  ready: readonly { id: string; name: string }[] | undefined;
  chosen: string | null;
  onChoose: (id: string | null) => void;
  error: string | undefined;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t('field.workflow')}
        placeholder={t('upload.chooseWorkflow')}
        data={(ready ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={onChoose}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t('upload.noWorkflow')}
        error={error}
      />
      {ready?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('upload.noWorkflow')} <Link to="/workflows">{t('nav.workflows')}</Link>
        </Text>
      )}
    </>
  );
}

interface ChosenFilesProps {
  files: readonly File[];
  faultOf: (file: File) => string | null;
  onChange: (files: File[]) => void;
}

function ChosenFiles({ files, faultOf, onChange }: ChosenFilesProps) {
  const { t } = useTranslation();
  if (files.length === 0) return null;
  return (
    <ListRows>
      {files.map((file, at) => {
        const fault = faultOf(file);
        return (
          <Group key={`${file.name}/${file.size}/${file.lastModified}`} wrap="nowrap" gap="sm">
            <IconFileTypePdf size={22} stroke={1.5} aria-hidden />
            <div style={{ flex: 1, minInlineSize: 0 }}>
              <Text truncate title={file.name}>
                {file.name}
              </Text>
              <Text size="xs" c={fault ? 'var(--p2p-error)' : 'dimmed'} className="tabular">
                {fault ?? formatSize(file.size)}
              </Text>
            </div>
            <ActionIcon
              variant="subtle"
              color="neutral"
              aria-label={t('upload.remove', { name: file.name })}
              onClick={() => onChange(files.filter((_, index) => index !== at))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        );
      })}
    </ListRows>
  );
}
