import { Button, Checkbox, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { featureKeys, type HostSubscriberDetails, hostRoutes } from '@pdf2press/contract';
import { NumberField } from '@pdf2press/ui';
import { useMutation } from '@tanstack/react-query';
import { Controller, FormProvider, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { SecretOnce } from '../account/secret-once.tsx';
import { call } from '../client/call.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { readAction } from '../frame/form-action.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { LocaleSelect } from '../frame/locale-select.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { OverageCard } from '../plan/overage-card.tsx';
import { PlanUsage } from '../plan/plan-usage.tsx';
import { LimitField } from './limit-field.tsx';
import { type GivenSubscriber, type SubscriberFields, useSubscriberForm } from './use-subscriber-form.ts';

const gigabyte = 1024 ** 3;

/** One company: its plan beside what it uses; a new one with its first administrator. */
export function SubscriberScreen() {
  const { t } = useTranslation();
  const { action: text, id } = useParams();
  const action = readAction(text, ['new', 'edit']);
  const isNew = action === 'new';
  const query = useCall(hostRoutes.get, { params: { id: id ?? '' } }, { enabled: !isNew && id !== undefined });
  const isLost = action === null || (!isNew && id === undefined);
  return (
    <Screen
      title={isNew ? t('host.new') : (query.data?.name ?? t('nav.host'))}
      back={{ to: '/host', label: t('nav.host') }}
      state={isLost ? { kind: 'notFound' } : isNew ? { kind: 'ready' } : stateOf(query)}
    >
      {(isNew || query.data) && <SubscriberForm subscriber={isNew ? null : (query.data ?? null)} />}
    </Screen>
  );
}

function useSave(subscriber: HostSubscriberDetails | null) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({
      administrator,
      ...body
    }: GivenSubscriber): Promise<HostSubscriberDetails & { activationLink?: string | null }> =>
      subscriber
        ? call(hostRoutes.update, { params: { id: subscriber.id }, body })
        : call(hostRoutes.create, { body: { ...body, administrator } }),
    onSuccess: async (saved) => {
      notify.success(t('common.saved'));
      await invalidate(hostRoutes.list, hostRoutes.get);
      // Nobody is sent the link: it is shown before the form is left.
      if (!saved.activationLink) void navigate('/host');
    },
  });
}

function SubscriberForm({ subscriber }: { subscriber: HostSubscriberDetails | null }) {
  const { t } = useTranslation();
  const form = useSubscriberForm(subscriber);
  const save = useSave(subscriber);
  const navigate = useNavigate();
  const leave = () => void navigate('/host');
  return (
    <FormProvider {...form}>
      <FormFrame
        back="/host"
        isDirty={form.formState.isDirty}
        isSaving={save.isPending}
        isDone={save.isSuccess}
        error={save.error}
        errors={form.formState.errors}
        onSubmit={() => void form.handleSubmit((given) => save.mutate(given))()}
        aside={
          subscriber && (
            <Stack>
              <PlanUsage plan={subscriber.plan} usage={subscriber.usage} />
              <OverageCard plan={subscriber.plan} overage={subscriber.overage} />
            </Stack>
          )
        }
      >
        <Modal
          opened={Boolean(save.data?.activationLink)}
          onClose={leave}
          title={t('users.activationLink', { name: save.data?.name ?? '' })}
          closeButtonProps={{ 'aria-label': t('common.close') }}
        >
          <SecretOnce text={save.data?.activationLink ?? ''} note={t('users.activationLinkText')} onClose={leave} />
        </Modal>
        <NameCard />
        {!subscriber && <AdministratorCard />}
        <QuotasCard />
        <FeaturesCard />
        <TermsCard />
      </FormFrame>
    </FormProvider>
  );
}

function NameCard() {
  const { t } = useTranslation();
  const { register, formState } = useFormContext<SubscriberFields>();
  return (
    <SectionCard title={t('host.company')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('field.name')} withAsterisk error={formState.errors.name?.message} {...register('name')} />
        <TextInput label={t('host.planName')} error={formState.errors.plan?.name?.message} {...register('plan.name')} />
      </SimpleGrid>
    </SectionCard>
  );
}

function AdministratorCard() {
  const { t } = useTranslation();
  const { register, control, formState } = useFormContext<SubscriberFields>();
  const errors = formState.errors.administrator;
  return (
    <SectionCard title={t('host.administrator')} text={t('host.administratorText')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('field.firstName')}
          withAsterisk
          error={errors?.firstName?.message}
          {...register('administrator.firstName')}
        />
        <TextInput label={t('field.lastName')} {...register('administrator.lastName')} />
        <TextInput
          label={t('field.email')}
          type="email"
          withAsterisk
          error={errors?.email?.message}
          {...register('administrator.email')}
        />
        <Controller
          control={control}
          name="administrator.locale"
          render={({ field: { value = 'en', ...field } }) => <LocaleSelect value={value} {...field} />}
        />
      </SimpleGrid>
    </SectionCard>
  );
}

function QuotasCard() {
  const { t } = useTranslation();
  return (
    <SectionCard title={t('host.quotas')} text={t('host.quotasText')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <LimitField name="plan.quotas.sessionsPerMonth" label={t('plan.quota.sessionsPerMonth')} initial={1000} />
        <LimitField name="plan.quotas.users" label={t('plan.quota.users')} initial={10} />
        <LimitField
          name="plan.quotas.storageBytes"
          label={t('plan.quota.storageBytes')}
          initial={50 * gigabyte}
          isBytes
        />
        <LimitField name="plan.quotas.uploadBytes" label={t('plan.quota.uploadBytes')} initial={gigabyte} isBytes />
      </SimpleGrid>
    </SectionCard>
  );
}

function FeaturesCard() {
  const { t } = useTranslation();
  const { control } = useFormContext<SubscriberFields>();
  return (
    <Controller
      control={control}
      name="features"
      render={({ field: { value = [], onChange } }) => (
        <SectionCard
          title={t('host.features')}
          text={t('host.featuresText')}
          action={
            <Button
              variant="subtle"
              onClick={() => onChange(value.length === featureKeys.length ? [] : [...featureKeys])}
            >
              {t(value.length === featureKeys.length ? 'host.noFeatures' : 'host.allFeatures')}
            </Button>
          }
        >
          <Checkbox.Group value={[...value]} onChange={onChange} aria-label={t('host.features')}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {featureKeys.map((key) => (
                <Checkbox key={key} value={key} label={t(`feature.${key}`)} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        </SectionCard>
      )}
    />
  );
}

function TermsCard() {
  const { t } = useTranslation();
  const { control, register, formState } = useFormContext<SubscriberFields>();
  const errors = formState.errors.plan?.storage;
  return (
    <SectionCard title={t('plan.overage')} text={t('host.termsText')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <LimitField name="plan.storage.includedBytes" label={t('plan.included')} initial={10 * gigabyte} isBytes />
        <Controller
          control={control}
          name="plan.storage.pricePerGb"
          render={({ field: { value, onChange }, fieldState }) => (
            <NumberField
              label={t('host.price')}
              value={value ?? 0}
              onChange={(given) => onChange(given ?? 0)}
              min={0}
              decimalScale={4}
              error={fieldState.error?.message}
            />
          )}
        />
        <TextInput
          label={t('host.currency')}
          maxLength={3}
          error={errors?.currency?.message}
          {...register('plan.storage.currency', { setValueAs: (text: string) => text.toUpperCase() })}
        />
      </SimpleGrid>
    </SectionCard>
  );
}
