import { Button, FileInput, Group, Image, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { feedbackRoutes } from '@pdf2press/contract';
import { IconCamera, IconMessageOff, IconPhoto } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type ClipboardEvent, useState } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import type { z } from 'zod';
import { useMay } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { useCall } from '../client/queries.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { useSchemaForm } from '../frame/use-schema-form.ts';
import { capturePicture, mayCapture, readPicture } from './read-picture.ts';

const { body } = feedbackRoutes.send;

/** A word about the product, to the address that the house has set. */
export function FeedbackScreen() {
  const { t } = useTranslation();
  const may = useMay();
  const query = useCall(feedbackRoutes.ask);
  const none = {
    kind: 'empty',
    icon: IconMessageOff,
    title: t('feedback.none'),
    text: t('feedback.notSetUp'),
    action: may('settings.general.manage') && (
      <Button component={Link} to="/settings">
        {t('feedback.toSettings')}
      </Button>
    ),
  } as const;
  return (
    <Screen title={t('nav.feedback')} state={query.data?.isSetUp === false ? none : stateOf(query)}>
      <FeedbackForm />
    </Screen>
  );
}

function FeedbackForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { from?: string } | null };
  const form = useSchemaForm(body, {
    defaultValues: { text: '', picture: null, context: { path: state?.from ?? '' } },
    mode: 'onTouched',
  });
  const { errors, isDirty } = form.formState;
  const send = useMutation({
    mutationFn: (given: z.output<typeof body>) =>
      call(feedbackRoutes.send, {
        body: {
          ...given,
          context: { ...given.context, browser: navigator.userAgent, window: `${innerWidth} × ${innerHeight}` },
        },
      }),
    onSuccess: () => {
      notify.success(t('feedback.sent'));
      void navigate(state?.from ?? '/');
    },
  });
  const setPicture = (picture: string | null) => form.setValue('picture', picture, { shouldDirty: true });
  return (
    <FormFrame
      back={state?.from ?? '/'}
      isDirty={isDirty}
      isSaving={send.isPending}
      isDone={send.isSuccess}
      saveLabel={t('feedback.send')}
      error={send.error}
      errors={errors}
      onSubmit={() => void form.handleSubmit((given) => send.mutate(given))()}
    >
      <SectionCard title={t('feedback.title')} text={t('feedback.text')}>
        <Stack>
          <Textarea
            label={t('feedback.words')}
            withAsterisk
            autosize
            minRows={5}
            maxRows={20}
            error={errors.text?.message}
            {...form.register('text')}
          />
          <Controller
            control={form.control}
            name="picture"
            render={({ field: { value = null } }) => <PictureField value={value} onChange={setPicture} />}
          />
          <TextInput label={t('feedback.about')} {...form.register('context.path')} />
          <Text c="dimmed" size="sm">
            {t('feedback.context')}
          </Text>
        </Stack>
      </SectionCard>
    </FormFrame>
  );
}

function PictureField({ value, onChange }: { value: string | null; onChange: (picture: string | null) => void }) {
  const { t } = useTranslation();
  const [fault, setFault] = useState<string | null>(null);
  const take = async (file: Blob | null) => {
    setFault(null);
    if (file === null) return onChange(null);
    const picture = await readPicture(file);
    if (picture === null) return setFault(t('feedback.notAPicture'));
    onChange(picture);
  };
  const paste = (event: ClipboardEvent) => {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
    if (file) void take(file);
  };
  const capture = async () => {
    const picture = await capturePicture();
    if (picture !== null) onChange(picture);
  };
  return (
    <Stack gap="xs" onPaste={paste}>
      <Group align="end">
        <FileInput
          flex="1 1 240px"
          label={t('feedback.picture')}
          description={t('feedback.pictureText')}
          accept="image/png,image/jpeg"
          placeholder={t('ui.chooseFile')}
          leftSection={<IconPhoto size={16} aria-hidden />}
          clearable
          clearButtonProps={{ 'aria-label': t('ui.remove') }}
          error={fault}
          // Stands for the picture that is shown below.
          value={value === null ? null : new File([], t('feedback.picture'))}
          onChange={(file) => void take(file)}
        />
        {mayCapture() && (
          <Button variant="default" leftSection={<IconCamera size={17} />} onClick={() => void capture()}>
            {t('feedback.capture')}
          </Button>
        )}
      </Group>
      {value !== null && <Image src={value} alt={t('feedback.preview')} mah={320} w="auto" fit="contain" />}
    </Stack>
  );
}
