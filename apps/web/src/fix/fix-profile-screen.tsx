import { Alert, Select, SimpleGrid } from '@mantine/core';
import { nearestLocale } from '@pdf2press/contract';
import { fixProfileRoutes } from '@pdf2press/contract/calls';
import {
  fixActionLabel,
  fixContracts,
  fixKeys,
  fixProfileSchema,
  fixReasonSentence,
  type ProfileAction,
} from '@pdf2press/fix/contracts';
import { FieldSurroundings } from '@pdf2press/ui';
import { IconArrowsSort } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { type Control, Controller, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { AboutCard } from '../profiles/about-card.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { settingName } from '../profiles/setting-name.ts';
import { controlOf, type ProfileValues, useProfileForm } from '../profiles/use-profile-form.ts';
import { VariableBindings } from '../profiles/variable-bindings.tsx';
import { profileFields } from '../rules/field-editors.tsx';
import { TryOnFile } from '../trials/try-on-file.tsx';
import { FixActions } from './fix-actions.tsx';
import {
  actionShape,
  type FixSettings,
  fixSettingsOfToday,
  freshFixSettings,
  orderProblems,
  withAction,
} from './fix-settings.ts';
import { fixWords } from './fix-words.ts';

const path = '/fix';

/** The form of a fix profile: its actions, their order and scope, and a trial on a file. */
export const FixProfileScreen = () => <ProfilePage kind="fix" form={FixProfileForm} />;

interface Given {
  /** An action that is added, and tried at once. */
  fix: ProfileAction;
  /** The session whose file it is tried on. */
  sample: { sessionId: string; fileName: string };
}

/** The form by itself: also in the drawer of the workflow builder, and of a finding that an action clears. */
export function FixProfileForm({ action, id, given }: ProfileFormProps & { given?: Given }) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const held = useProfileForm({
    action,
    id,
    path,
    routes: fixProfileRoutes,
    schema: fixProfileSchema,
    initial: freshFixSettings,
    today: fixSettingsOfToday,
  });
  const { form } = held;
  const isThere = action === 'new' || held.profile !== undefined;
  useEffect(() => {
    if (given && isThere) addFix(form, given.fix, i18n.language);
  }, [given?.fix.key, isThere, form]);
  const isReadOnly = action === 'view' || !may('fix.manage');
  const control = controlOf(form);
  const settings = form.watch('settings');
  const nameOf = (setting: string) =>
    settingName(setting, 'actions', settings, (key) => wordsOf(key, i18n.language, t));
  const used = new Set((settings.actions as FixSettings['actions'] | undefined)?.map(({ key }) => key));
  return (
    <FieldSurroundings value={profileFields}>
      <ProfileFrame
        kind="fix"
        held={held}
        isReadOnly={isReadOnly}
        nameOf={nameOf}
        isAsideOpen={given !== undefined}
        aside={
          <TryOnFile
            kind="fix"
            settings={settings}
            nameOf={nameOf}
            {...(given && { sample: given.sample, isReady: hasFix(settings, given.fix) })}
          />
        }
      >
        <AboutCard form={form}>
          <SimpleGrid type="container" cols={{ base: 1, '400px': 2 }}>
            <Choice control={control} name="order" options={['Engine', 'AsListed']} isReadOnly={isReadOnly} />
            <Choice control={control} name="signatures" options={['StripAndWarn', 'Refuse']} isReadOnly={isReadOnly} />
            <Choice
              control={control}
              name="gate"
              field="gate.method"
              options={['Auto', 'RGB', 'Plates']}
              isReadOnly={isReadOnly}
            />
          </SimpleGrid>
        </AboutCard>
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
      </ProfileFrame>
    </FieldSurroundings>
  );
}

/** Adds an action to what the form has; a new profile is called like it. */
function addFix(form: UseFormReturn<ProfileValues>, fix: ProfileAction, language: string): void {
  const { actions = [] } = form.getValues('settings') as Partial<FixSettings>;
  const dirty = { shouldDirty: true };
  form.setValue('settings.actions', withAction(actions, fix), dirty);
  if (form.getValues('name') === '') form.setValue('name', fixActionLabel(fix.key, nearestLocale(language)), dirty);
}

const hasFix = (settings: Record<string, unknown>, { key }: ProfileAction): boolean =>
  (settings as Partial<FixSettings>).actions?.some((action) => action.key === key) === true;

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
