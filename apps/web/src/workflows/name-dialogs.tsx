import { Button, Group, Modal, Radio, Text, TextInput } from '@mantine/core';
import { type StarterKey, starterKeys, type WorkflowSummary, workflowRoutes } from '@pdf2press/contract';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { z } from 'zod';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { DialogForm } from '../frame/dialog-form.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { MadeForField, useLacksMadeFor } from '../organizations/made-for-field.tsx';
import { workflowPath } from './workflow-acts.ts';
import classes from './workflows.module.css';

/** A workflow's name; without one the specification has a sentence of its own. */
const named = z.object({
  name: z
    .string()
    .refine((name) => name.trim() !== '', { params: { code: 'workflow.nameMissing' }, abort: true })
    .pipe(workflowRoutes.copy.body.shape.name),
});

interface Named {
  name: string;
  /** Null = the whole house; undefined = the only one that there is to choose. */
  organizationId: string | null | undefined;
}

interface NameFormProps {
  initial: string;
  act: string;
  /** A second way to submit, beside `act`. */
  more?: string;
  /** Whom it is for at first; undefined = whom its maker chooses. */
  madeFor: string | undefined;
  error: unknown;
  isBusy: boolean;
  onSubmit: (given: Named, isMore: boolean) => void;
  onClose: () => void;
  children?: ReactNode;
}

function NameForm({ initial, act, more, madeFor, error, isBusy, onSubmit, onClose, children }: NameFormProps) {
  const { t } = useTranslation();
  const lacks = useLacksMadeFor();
  const [organizationId, setOrganizationId] = useState<string | null | undefined>(madeFor);
  const { register, handleSubmit, formState } = useSchemaForm(named, { defaultValues: { name: initial } });
  const isLacking = formState.isSubmitted && lacks(organizationId);
  const submit = (isMore: boolean) =>
    handleSubmit(({ name }) => {
      if (!lacks(organizationId)) onSubmit({ name, organizationId }, isMore);
    });
  return (
    <DialogForm
      onSubmit={submit(false)}
      onClose={onClose}
      act={act}
      isUnderway={isBusy}
      error={error}
      more={
        more && (
          <Button variant="light" disabled={isBusy} onClick={() => void submit(true)()}>
            {more}
          </Button>
        )
      }
    >
      <TextInput label={t('field.name')} data-autofocus error={formState.errors.name?.message} {...register('name')} />
      <MadeForField
        value={organizationId}
        before={undefined}
        error={isLacking ? t('organization.choose') : undefined}
        onChange={setOrganizationId}
      />
      {children}
    </DialogForm>
  );
}

export function NewDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useMay();
  const [template, setTemplate] = useState<StarterKey>(starterKeys[0]);
  const make = useMutation({
    mutationFn: (body: Named & { isPublished: boolean }) =>
      call(workflowRoutes.create, { body: { ...body, template } }),
    onSuccess: async (made) => {
      await invalidate(workflowRoutes.list);
      onClose();
      void navigate(workflowPath(made.id));
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('workflows.new')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <NameForm
        initial=""
        madeFor={undefined}
        act={t('workflows.make')}
        // A starter is complete: it may go live as it is.
        {...(template !== 'empty' && may('workflows.edit') ? { more: t('workflows.makeAndPublish') } : {})}
        error={make.error}
        isBusy={make.isPending}
        onSubmit={(given, isPublished) => make.mutate({ ...given, isPublished })}
        onClose={onClose}
      >
        <Radio.Group
          value={template}
          onChange={(key) => setTemplate(key as StarterKey)}
          label={t('workflows.template')}
        >
          <div className={classes.templates}>
            {starterKeys.map((key) => (
              <Radio.Card key={key} value={key} className={classes.template}>
                <Group wrap="nowrap" align="start">
                  <Radio.Indicator />
                  <div>
                    <Text fw={600}>{t(`starter.${key}`)}</Text>
                    <Text size="sm" c="dimmed">
                      {t(`starter.${key}.text`)}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
      </NameForm>
    </Modal>
  );
}

export function CopyDialog({ workflow, onClose }: { workflow: WorkflowSummary; onClose: () => void }) {
  const { t } = useTranslation();
  const copy = useMutation({
    mutationFn: (body: Named) => call(workflowRoutes.copy, { params: { id: workflow.id }, body }),
    onSuccess: async () => {
      await invalidate(workflowRoutes.list);
      onClose();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('workflows.copyTitle', { name: workflow.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <NameForm
        initial={t('common.copyName', { name: workflow.name })}
        act={t('common.copyOf')}
        error={copy.error}
        isBusy={copy.isPending}
        madeFor={workflow.organization?.id}
        onSubmit={(given) => copy.mutate(given)}
        onClose={onClose}
      />
    </Modal>
  );
}
