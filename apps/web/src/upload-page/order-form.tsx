import { Alert, Button, Radio, SimpleGrid, Text, Textarea, TextInput, Title } from '@mantine/core';
import { acceptedFileTypes, type UploadPage, uploadPageSendSchema, variablesSchema } from '@pdf2press/contract';
import { uploadPageRoutes as routes } from '@pdf2press/contract/calls';
import { IconCloudUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../client/call.ts';
import { CallError, failureText } from '../client/call-error.ts';
import { sayIssue, useSchemaForm } from '../frame/use-schema-form.ts';
import { formatSize } from '../language/formats.ts';
import { DropCurtain } from '../uploads/drop-curtain.tsx';
import { DropZone } from '../uploads/drop-zone.tsx';
import { VariableFields } from '../uploads/variable-fields.tsx';
import { FileList, faultOfItem } from './file-list.tsx';
import { type OrderStep, orderSteps, StepHead, useOrderSteps } from './order-steps.tsx';
import classes from './upload-page.module.css';
import { isStopped, useChecks } from './use-checks.ts';
import { addFiles, isComing, isOver, isReady, leaveVisit, type PageItem, removeFile, useVisit } from './visit.ts';

const contactSchema = uploadPageSendSchema.omit({ files: true, variables: true, acknowledged: true });
const noRefusals: ReadonlyMap<string, string> = new Map();

/** The workflow that is chosen: by the house, or because there is no other. */
const standardOf = ({ workflows, defaultWorkflowId }: UploadPage): string =>
  defaultWorkflowId ?? (workflows.length === 1 ? (workflows[0]?.id ?? '') : '');

/** Refusals that another verdict on the file, or an answer to it, removes. */
const ofDoor: ReadonlySet<string> = new Set(['upload.notChecked', 'upload.hasErrors', 'upload.notAcknowledged']);

/** Sends what is filled in with the files that have arrived; told apart: what is wrong with files, fields and the rest. */
function useSending(setFieldError: (field: string, message: string) => boolean, onDoor: () => void) {
  const [refused, setRefused] = useState(noRefusals);
  const [failure, setFailure] = useState<unknown>(null);
  const sending = useMutation({
    mutationFn: ({ visit, body }: { visit: string; body: z.output<typeof uploadPageSendSchema> }) =>
      call(routes.send, { params: { visit }, body }),
    onMutate: () => {
      setRefused(noRefusals);
      setFailure(null);
    },
    onSuccess: (receipt) => {
      useVisit.setState({ receipt });
      window.scrollTo({ top: 0 });
    },
    onError: (error) => {
      if (isOver(error)) return leaveVisit(true);
      const errors = error instanceof CallError ? error.errors : [];
      if (errors.some(({ code }) => ofDoor.has(code))) onDoor();
      const ofFiles = errors.flatMap(({ code, field = '', message }) =>
        field.startsWith('files.') && !ofDoor.has(code) ? [[field.slice('files.'.length), message] as const] : [],
      );
      setRefused(new Map(ofFiles));
      const isTold = errors.filter(
        ({ code, field = '', message }) =>
          !ofDoor.has(code) && (field.startsWith('files.') || setFieldError(field, message)),
      );
      if (isTold.length < Math.max(1, errors.length)) setFailure(error);
    },
  });
  return { sending, refused, failure };
}

/** Where in the form a field is asked for. */
const partOf = (field: string): OrderStep =>
  field === 'workflowId' || field.startsWith('variables') ? 'details' : 'send';

const fields = ['workflowId', 'name', 'email', 'company', 'message'] as const;

export function OrderForm({ page }: { page: UploadPage }) {
  const { t } = useTranslation();
  const { items, hasEnded } = useVisit();
  const [workflowId, setWorkflowId] = useState(() => standardOf(page));
  const workflow = page.workflows.find(({ id }) => id === workflowId);
  const schema = contactSchema.extend({ variables: variablesSchema(workflow?.variables ?? []) });
  const { step, shows, goTo } = useOrderSteps(page);
  const { control, register, handleSubmit, setValue, getValues, setError, clearErrors, formState } = useSchemaForm(
    schema,
    {
      // What a field lacks is said when it is left.
      mode: 'onTouched',
      defaultValues: { workflowId, name: '', email: '', company: '', message: '', variables: {} },
    },
  );
  const { errors, isSubmitted } = formState;
  useEffect(() => setValue('workflowId', workflowId, { shouldValidate: isSubmitted }), [workflowId, setValue]);
  const {
    checks,
    isChecking,
    askAgain,
    error: checkError,
  } = useChecks(items, {
    workflow,
    variables: useWatch({ control, name: 'variables' }),
  });
  const { sending, refused, failure } = useSending((field, message) => {
    const known = fields.find((name) => name === field);
    if (known) setError(known, { message });
    else if (field.startsWith('variables.')) setError(field as 'variables', { message });
    else return false;
    goTo(partOf(field));
    return true;
  }, askAgain);
  useEffect(() => {
    if (refused.size > 0) goTo('files');
  }, [refused]);
  const [isWaiting, setWaiting] = useState(false);
  const [lacksFile, setLacksFile] = useState(false);
  const faults = items.filter((item) => faultOfItem(item, { types: workflow?.types, refused }, t) !== null);
  const open = items.filter((item) => !isReady(item) && !isComing(item) && !faults.includes(item));
  const isUploading = items.some(isComing);
  const isComingIn = isUploading || isChecking;
  const good = items.filter((item) => isReady(item) && !faults.includes(item));
  const stopped = good.filter(({ uploadId }) => isStopped(checks.get(uploadId ?? '')));
  const isBlocked = faults.length + open.length + stopped.length > 0;

  const send = handleSubmit(
    (given) => {
      const { visit } = useVisit.getState();
      const files = good.flatMap(({ uploadId }) => uploadId ?? []);
      setLacksFile(items.length === 0);
      setWaiting(isComingIn && !isBlocked);
      if (isBlocked || items.length === 0) goTo('files');
      if (isBlocked || isComingIn || files.length === 0 || !visit) return;
      const acknowledged = files.filter((id) => checks.get(id)?.isAcknowledged);
      sending.mutate({ visit, body: { ...given, files, acknowledged } });
    },
    (faulty) => goTo(partOf(Object.keys(faulty)[0] ?? '')),
  );
  /** Whether all that is asked for of the order is there; what is missing is told where it is missing. */
  const isAnswered = (): boolean => {
    clearErrors(['workflowId', 'variables']);
    if (!workflow) setError('workflowId', { type: 'required' });
    const read = schema.shape.variables.safeParse(getValues('variables'), { error: sayIssue(t) });
    for (const { path, message } of read.error?.issues ?? [])
      setError(['variables', ...path].join('.') as 'variables', { message });
    return workflow !== undefined && read.success;
  };
  /** Goes on to the next part of the form, once nothing is missing in this one. */
  const goOn = (from: OrderStep) => {
    setLacksFile(items.length === 0);
    const isDone = from === 'files' ? items.length > 0 : isAnswered();
    if (isDone) goTo(orderSteps[orderSteps.indexOf(from) + 1] ?? from);
  };
  // Sent before the files had arrived: continues when they have, and not where one of them failed.
  useEffect(() => {
    if (!isWaiting || isComingIn) return;
    setWaiting(false);
    if (!isBlocked) void send();
  }, [isWaiting, isComingIn, isBlocked]);

  const replaceWith = (item: PageItem, file: File) => {
    removeFile(item);
    addFiles([file], page);
  };

  return (
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (step && step !== 'send') return goOn(step);
        setLacksFile(items.length === 0);
        void send();
      }}
    >
      <DropCurtain onDrop={(files) => addFiles(files, page)} />
      {hasEnded && (
        <Alert color="warning" variant="light" role="alert">
          {t('uploadPage.ended')}
        </Alert>
      )}
      {step && <StepHead step={step} onStep={goTo} />}
      <section className={classes.card} hidden={!shows('files')}>
        <Drop page={page} isSmall={items.length > 0} />
        {lacksFile && items.length === 0 && (
          <Text className={classes.fault} size="sm" role="alert">
            {t('uploadPage.needsFile')}
          </Text>
        )}
        <FileList
          items={items}
          unit={page.unit}
          types={workflow?.types}
          refused={refused}
          checks={checks}
          accept={acceptOf(page)}
          onReplace={replaceWith}
        />
        {checkError && (
          <Text size="sm" c="dimmed" role="status">
            {t('uploadPage.check.failed', { reason: failureText(checkError, t) })}
          </Text>
        )}
      </section>
      {(page.workflows.length > 1 || (workflow?.variables.length ?? 0) > 0) && (
        <section className={classes.card} hidden={!shows('details')}>
          <Title order={2} size="h4">
            {t('uploadPage.order')}
          </Title>
          {page.workflows.length > 1 && (
            <Radio.Group
              label={t('uploadPage.service')}
              withAsterisk
              value={workflowId}
              onChange={setWorkflowId}
              error={errors.workflowId && t('uploadPage.chooseService')}
            >
              <div className={classes.services}>
                {page.workflows.map(({ id, name }) => (
                  <Radio
                    key={id}
                    value={id}
                    label={name}
                    variant="outline"
                    color="var(--p2p-strong)"
                    iconColor="var(--p2p-strong)"
                  />
                ))}
              </div>
            </Radio.Group>
          )}
          {workflow && workflow.variables.length > 0 && (
            <VariableFields variables={workflow.variables} control={control} />
          )}
        </section>
      )}
      <section className={classes.card} hidden={!shows('send')}>
        <Title order={2} size="h4">
          {t('uploadPage.you')}
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label={t('field.name')}
            autoComplete="name"
            maxLength={200}
            withAsterisk
            error={errors.name?.message}
            {...register('name')}
          />
          <TextInput
            label={t('field.email')}
            type="email"
            autoComplete="email"
            maxLength={254}
            withAsterisk
            error={errors.email?.message}
            {...register('email')}
          />
        </SimpleGrid>
        <TextInput
          label={t('field.company')}
          autoComplete="organization"
          maxLength={200}
          error={errors.company?.message}
          {...register('company')}
        />
        <Textarea
          label={t('uploadPage.message')}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={2000}
          error={errors.message?.message}
          {...register('message')}
        />
      </section>
      {failure !== null && (
        <Alert color="error" variant="light" role="alert">
          {failureText(failure, t)}
        </Alert>
      )}
      <div className={classes.foot}>
        {isBlocked && isSubmitted && (
          <Text className={classes.fault} size="sm" role="alert">
            {t('uploadPage.notAll')}
          </Text>
        )}
        {isWaiting && (
          <Text size="sm" role="status">
            {t(isUploading ? 'uploadPage.waiting' : 'uploadPage.check.waiting')}
          </Text>
        )}
        <div className={classes.buttons}>
          {step && step !== 'files' && (
            <Button
              variant="default"
              size="md"
              onClick={() => goTo(orderSteps[orderSteps.indexOf(step) - 1] ?? 'files')}
            >
              {t('uploadPage.back')}
            </Button>
          )}
          {step && step !== 'send' ? (
            <Button type="submit" size="md">
              {t('uploadPage.next')}
            </Button>
          ) : isWaiting ? (
            <Button variant="default" size="md" onClick={() => setWaiting(false)}>
              {t('uploadPage.doNotSend')}
            </Button>
          ) : (
            <Button type="submit" size="md" loading={sending.isPending}>
              {isComingIn
                ? t(isUploading ? 'uploadPage.sendWhenReady' : 'uploadPage.check.sendWhenChecked')
                : good.length > 0
                  ? t('uploadPage.send', { count: good.length })
                  : t('uploadPage.sendNone')}
            </Button>
          )}
        </div>
        <Text size="xs" c="dimmed">
          {t('uploadPage.kept')}
        </Text>
      </div>
    </form>
  );
}

const typesOf = ({ workflows }: UploadPage) => [...new Set(workflows.flatMap(({ types }) => types))];

/** What the browser's picker offers. */
const acceptOf = (page: UploadPage): string =>
  acceptedFileTypes
    .filter(({ type }) => typesOf(page).includes(type))
    .flatMap(({ mediaType, extensions }) => [mediaType, ...extensions])
    .join(',');

/** Where files are dropped or chosen; smaller once there are some. */
function Drop({ page, isSmall }: { page: UploadPage; isSmall: boolean }) {
  const { t } = useTranslation();
  const hint = useId();
  const types = typesOf(page);
  return (
    <DropZone
      className={isSmall ? classes.dropSmall : classes.drop}
      isSeveral
      accept={acceptOf(page)}
      onFiles={(files) => addFiles(files, page)}
    >
      {(choose) => (
        <>
          {!isSmall && <IconCloudUpload size={40} stroke={1.3} aria-hidden />}
          <Text fw={550}>{t('uploadPage.drop')}</Text>
          <Button variant="light" onClick={choose} aria-describedby={hint}>
            {t('upload.choose')}
          </Button>
          <Text size="sm" c="dimmed" id={hint}>
            {t('uploadPage.hint', {
              types: types.join(', '),
              limit: formatSize(page.maxBytes),
              count: page.maxFiles,
            })}
          </Text>
        </>
      )}
    </DropZone>
  );
}
