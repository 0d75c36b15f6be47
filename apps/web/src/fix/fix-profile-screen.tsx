import { Alert, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { nearestLocale } from '@pdf2press/contract';
import { fixProfileRoutes } from '@pdf2press/contract/calls';
import { fixActionLabel, fixContracts, fixKeys, fixProfileSchema, fixReasonSentence } from '@pdf2press/fix/contracts';
import { FieldSurroundings } from '@pdf2press/ui';
import { IconArrowsSort } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { type Control, Controller, type FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { type FormAction, readAction } from '../frame/form-action.ts';
import { FormFrame } from '../frame/form-frame.tsx';
import { Screen, stateOf } from '../frame/screen.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { settingName } from '../profiles/setting-name.ts';
import { controlOf, useProfileForm } from '../profiles/use-profile-form.ts';
import { VariableBindings } from '../profiles/variable-bindings.tsx';
import { profileFields } from '../rules/field-editors.tsx';
import { TryOnFile } from '../trials/try-on-file.tsx';
import { FixActions } from './fix-actions.tsx';
import { actionShape, type FixSettings, fixSettingsOfToday, freshFixSettings, orderProblems } from './fix-settings.ts';
import { fixWords } from './fix-words.ts';

const path = '/fix';

/** The form of a fix profile: its actions, their order and scope, and a trial on a file. */
export function FixProfileScreen() {
  const { t } = useTranslation();
  const { action: text, id } = useParams();
  const action = readAction(text);
  if (!action || (action !== 'new' && !id)) return <Screen title={t('nav.fix')} state={{ kind: 'notFound' }} />;
  return <FixProfileForm key={`${action}/${id}`} action={action} id={id} />;
}

/** The form by itself: also in the drawer of the workflow builder. */
export function FixProfileForm({ action, id }: { action: FormAction; id: string | undefined }) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const { form, save, query, isNew, shownName } = useProfileForm({
    action,
    id,
    path,
    routes: fixProfileRoutes,
    schema: fixProfileSchema,
    initial: freshFixSettings,
    today: fixSettingsOfToday,
  });
  const isReadOnly = action === 'view' || !may('fix.manage');
  const control = controlOf(form);
  const settings = form.watch('settings');
  const title = isNew ? t('profiles.fix.new') : (shownName ?? t('nav.fix'));
  const nameOf = (setting: string) =>
    settingName(setting, 'actions', settings, (key) => wordsOf(key, i18n.language, t));
  const used = new Set((settings.actions as FixSettings['actions'] | undefined)?.map(({ key }) => key));
  return (
    <Screen title={title} back={{ to: path, label: t('nav.fix') }} state={isNew ? { kind: 'ready' } : stateOf(query)}>
      <FieldSurroundings value={profileFields}>
        <FormFrame
          back={path}
          isDirty={form.formState.isDirty}
          isSaving={save.isPending}
          isDone={save.isSuccess}
          isReadOnly={isReadOnly}
          error={save.error}
          errors={form.formState.errors}
          nameOf={nameOf}
          onSubmit={() => void form.handleSubmit((values) => save.mutate(values))()}
          aside={<TryOnFile kind="fix" settings={settings} nameOf={nameOf} />}
        >
          <SectionCard title={t('profiles.about')}>
            <Stack>
              <TextInput
                label={t('field.name')}
                withAsterisk
                error={form.formState.errors.name?.message}
                {...form.register('name')}
              />
              <Textarea label={t('field.description')} autosize minRows={1} {...form.register('description')} />
              <SimpleGrid type="container" cols={{ base: 1, '400px': 2 }}>
                <Choice control={control} name="order" options={['Engine', 'AsListed']} isReadOnly={isReadOnly} />
                <Choice
                  control={control}
                  name="signatures"
                  options={['StripAndWarn', 'Refuse']}
                  isReadOnly={isReadOnly}
                />
                <Choice
                  control={control}
                  name="gate"
                  field="gate.method"
                  options={['Auto', 'RGB', 'Plates']}
                  isReadOnly={isReadOnly}
                />
              </SimpleGrid>
            </Stack>
          </SectionCard>
          <SectionCard title={t('fix.actions')} text={t(`fix.actionsText.${String(settings.order ?? 'Engine')}`)}>
            <OrderWarnings settings={settings as FixSettings} />
            <FixActions form={form} isReadOnly={isReadOnly} />
          </SectionCard>
          <SectionCard title={t('bindings.title')} text={t('bindings.text')}>
            <VariableBindings
              form={form}
              isReadOnly={isReadOnly}
              owners={fixKeys
                .filter((key) => used.has(key))
                .map((key) => ({
                  key,
                  name: fixActionLabel(key, nearestLocale(i18n.language)),
                  shape: actionShape(key),
                  label: fixWords(key, i18n.language, t).label,
                }))}
            />
          </SectionCard>
        </FormFrame>
      </FieldSurroundings>
    </Screen>
  );
}

const wordsOf = (key: string, language: string, t: TFunction) => {
  const known = fixKeys.find((one) => one === key);
  return known && fixWords(known, language, t);
};

/** Warns about pairs of actions in an unsafe order. */
function OrderWarnings({ settings }: { settings: FixSettings }) {
  const { t, i18n } = useTranslation();
  const locale = nearestLocale(i18n.language);
  const known = (settings.actions ?? []).every(({ key }) => Object.hasOwn(fixContracts, key));
  const problems = known && settings.actions ? orderProblems(settings) : [];
  if (problems.length === 0) return null;
  const label = (key: unknown) => fixActionLabel(String(key), locale);
  return (
    <Alert color="warning" icon={<IconArrowsSort aria-hidden />} title={t('fix.inverted')} mb="md">
      {problems.map(({ code, params }) => (
        <div key={`${params.first}/${params.second}`}>
          {fixReasonSentence('', code, { first: label(params.first), second: label(params.second) }, locale)}
        </div>
      ))}
    </Alert>
  );
}

function Choice({
  control,
  name,
  field: at = name,
  options,
  isReadOnly,
}: {
  control: Control<FieldValues>;
  name: 'order' | 'signatures' | 'gate';
  field?: string;
  options: readonly string[];
  isReadOnly: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Controller
      control={control}
      name={`settings.${at}`}
      render={({ field }) => (
        <Select
          label={t(`fix.${name}`)}
          data={options.map((value) => ({ value, label: t(`fix.${name}.${value}`) }))}
          value={(field.value as string | undefined) ?? options[0] ?? null}
          allowDeselect={false}
          disabled={isReadOnly}
          onChange={field.onChange}
        />
      )}
    />
  );
}
