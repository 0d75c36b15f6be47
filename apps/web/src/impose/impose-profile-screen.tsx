import { Group, NumberInput, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { type ImposeLayout, imposeLayouts, type Plan } from '@pdf2press/contract';
import { imposeProfileRoutes, sessionRoutes } from '@pdf2press/contract/calls';
import { givenImposeProfileSchema, layouts, planPreview, readImposeProfile } from '@pdf2press/impose/contracts';
import { FieldSurroundings, LengthField, SettingsFields } from '@pdf2press/ui';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { Control, FieldValues, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMay } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { useUnit } from '../preferences/use-unit.ts';
import { AboutCard } from '../profiles/about-card.tsx';
import { KindHelp } from '../profiles/kind-help.tsx';
import { type ProfileFormProps, ProfileFrame, ProfilePage } from '../profiles/profile-frame.tsx';
import { controlOf, type ProfileValues, useProfileForm } from '../profiles/use-profile-form.ts';
import { VariableBindings } from '../profiles/variable-bindings.tsx';
import { profileFields } from '../rules/field-editors.tsx';
import { TryOnFile } from '../trials/try-on-file.tsx';
import { ImposePresets } from './impose-presets.tsx';
import {
  freshSettings,
  inLayout,
  marksShape,
  outputShape,
  type Settings,
  sectionKeys,
  sectionShape,
  without,
} from './impose-settings.ts';
import { imposeWords, layoutWords } from './impose-words.ts';
import { MarksSection } from './marks-section.tsx';
import { type AssumedPages, withBleed } from './preview-pages.ts';
import { anchorOf, type Fold, formSections, SectionIndex, useFolds } from './section-index.tsx';
import { SheetName } from './sheet-name.tsx';
import { SheetPreview } from './sheet-preview.tsx';
import { usePreviewPages } from './use-preview-pages.ts';

const path = '/impose';

/** The form of an imposition profile: layout, settings, and a live preview of the sheets. */
export const ImposeProfileScreen = () => <ProfilePage kind="impose" form={ImposeProfileForm} />;

/** The form by itself: also in the drawer of the workflow builder. */
export function ImposeProfileForm({ action, id }: ProfileFormProps) {
  const { t, i18n } = useTranslation();
  const may = useMay();
  const [unit, setUnit] = useUnit();
  const held = useProfileForm({
    action,
    id,
    path,
    routes: imposeProfileRoutes,
    schema: givenImposeProfileSchema,
    initial: () => freshSettings('SaddleStitch'),
  });
  const { form } = held;
  const isReadOnly = action === 'view' || !may('impose.manage');
  const settings = form.watch('settings') as Settings;
  const type = typeOf(settings);
  const words = imposeWords(type, i18n.language, t);
  const nameOf = (setting: string) => words.label(setting.replace(/^settings\./, ''));
  const control = controlOf(form);
  const { foldOf, open } = useFolds(form.formState.submitCount);
  return (
    <FieldSurroundings value={profileFields}>
      <ProfileFrame
        kind="impose"
        held={held}
        isReadOnly={isReadOnly}
        nameOf={nameOf}
        aside={
          <>
            <Preview settings={settings} labelOf={words.label} />
            <TryOnFile kind="impose" settings={settings} nameOf={nameOf} />
          </>
        }
      >
        <SectionIndex sections={formSections} onOpen={open} />
        <AboutCard form={form}>
          <LayoutSelect form={form} type={type} isReadOnly={isReadOnly} />
          {!isReadOnly && <ImposePresets form={form} />}
        </AboutCard>
        {sectionKeys.map((section) => (
          <SectionCard
            key={section}
            title={t(`impose.section.${section}`)}
            anchor={anchorOf(section)}
            fold={foldOf(section)}
          >
            {section === 'sheet' && (
              <SimpleGrid cols={{ base: 1, sm: 2 }} mb="md">
                <SheetName form={form} label={words.label('sheet.name')} isReadOnly={isReadOnly} />
              </SimpleGrid>
            )}
            {section === 'marks' ? (
              <MarksSection
                key={type}
                shape={marksShape(type)}
                control={control}
                words={words}
                isReadOnly={isReadOnly}
              />
            ) : (
              <SettingsFields
                // Remounts the fields when the layout changes.
                key={type}
                shape={without(sectionShape(type, section), ['sheet', 'name'])}
                name="settings"
                control={control}
                words={words}
                unit={unit}
                onUnitChange={setUnit}
                isReadOnly={isReadOnly}
              />
            )}
          </SectionCard>
        ))}
        <OutputSection control={control} words={words} isReadOnly={isReadOnly} type={type} fold={foldOf('output')} />
        <SectionCard
          title={t('bindings.title')}
          text={t('bindings.text')}
          anchor={anchorOf('bindings')}
          fold={foldOf('bindings')}
        >
          <VariableBindings
            form={form}
            isReadOnly={isReadOnly}
            owners={sectionKeys.map((section) => ({
              key: '',
              name: t(`impose.section.${section}`),
              shape: sectionShape(type, section),
              label: words.label,
            }))}
          />
        </SectionCard>
      </ProfileFrame>
    </FieldSurroundings>
  );
}

const typeOf = (settings: Settings): ImposeLayout =>
  imposeLayouts.find((layout) => layout === settings.type) ?? 'SaddleStitch';

function LayoutSelect({
  form,
  type,
  isReadOnly,
}: {
  form: UseFormReturn<ProfileValues>;
  type: ImposeLayout;
  isReadOnly: boolean;
}) {
  const { t, i18n } = useTranslation();
  const words = layoutWords(type, i18n.language);
  return (
    <Group align="end" wrap="nowrap" gap="xs">
      <Select
        style={{ flex: 1 }}
        label={t('impose.layout')}
        description={words.about}
        data={imposeLayouts.map((layout) => ({ value: layout, label: layoutWords(layout, i18n.language).name }))}
        value={type}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(chosen) => {
          const layout = imposeLayouts.find((one) => one === chosen);
          if (layout) form.setValue('settings', inLayout(layout, form.getValues('settings')), { shouldDirty: true });
        }}
      />
      <KindHelp help={layouts[type].help} name={words.name} />
    </Group>
  );
}

function OutputSection({
  control,
  words,
  isReadOnly,
  type,
  fold,
}: {
  control: Control<FieldValues>;
  words: ReturnType<typeof imposeWords>;
  isReadOnly: boolean;
  type: ImposeLayout;
  fold: Fold;
}) {
  const { t } = useTranslation();
  const [unit, setUnit] = useUnit();
  return (
    <SectionCard title={t('impose.section.output')} anchor={anchorOf('output')} fold={fold}>
      <SettingsFields
        key={type}
        shape={outputShape}
        name="settings.output"
        path="output"
        control={control}
        words={words}
        unit={unit}
        onUnitChange={setUnit}
        isReadOnly={isReadOnly}
      />
    </SectionCard>
  );
}

/** The sheets of the current settings; while these are invalid, the last valid sheets in grey with the reason. */
function Preview({ settings, labelOf }: { settings: Settings; labelOf: (field: string) => string }) {
  const { t } = useTranslation();
  const [unit] = useUnit();
  const [sessionId, setSessionId] = useState<string | null>(null);
  const [chosenSizes, setSizes] = useState<AssumedPages | null>(null);
  const { usualPages } = layouts[typeOf(settings)];
  const sizes = useMemo(() => chosenSizes ?? withBleed(usualPages), [chosenSizes, usualPages]);
  // react-hook-form mutates its values in place, so they are compared by content.
  const later = useDeferredValue(JSON.stringify(settings));
  const read = useMemo(() => readImposeProfile(JSON.parse(later)), [later]);
  const cellBox = read.ok ? read.profile.cellBox : 'Trim';
  const { pages, pictures, isLoading } = usePreviewPages(sessionId, sizes, cellBox);
  const result = useMemo(() => (read.ok ? planPreview(pages, read.profile) : read), [read, pages]);
  const [lastGood, setLastGood] = useState<Plan | null>(null);
  const newest = 'plan' in result ? result.plan : null;
  useEffect(() => {
    if (newest) setLastGood(newest);
  }, [newest]);
  return (
    <SectionCard title={t('impose.preview')}>
      <Stack>
        <PagesOfPreview sessionId={sessionId} onSession={setSessionId} sizes={sizes} onSizes={setSizes} />
        {isLoading ? (
          <Text c="dimmed">{t('page.notReady')}</Text>
        ) : (
          <>
            {'isDieAssumed' in result && result.isDieAssumed && (
              <Text size="sm" c="dimmed">
                {t('impose.dieAssumed')}
              </Text>
            )}
            <SheetPreview
              plan={newest ?? lastGood}
              problems={'problems' in result ? result.problems : []}
              labelOf={labelOf}
              pictures={pictures}
              unit={unit}
            />
          </>
        )}
      </Stack>
    </SectionCard>
  );
}

/** The pages of the preview: equal pages of a given size, or those of a session's file. */
function PagesOfPreview({
  sessionId,
  onSession,
  sizes,
  onSizes,
}: {
  sessionId: string | null;
  onSession: (id: string | null) => void;
  sizes: AssumedPages;
  onSizes: (sizes: AssumedPages) => void;
}) {
  const { t } = useTranslation();
  const may = useMay();
  const [unit, setUnit] = useUnit();
  const sessions = useCall(sessionRoutes.list, { query: { pageSize: 25 } }, { enabled: may('sessions.view') });
  const files = (sessions.data?.items ?? []).filter((session) => session.pageCount);
  const size = (key: 'width' | 'height' | 'bleed', label: string): ReactNode => (
    <LengthField
      label={label}
      value={sizes[key]}
      unit={unit}
      onUnitChange={setUnit}
      min={key === 'bleed' ? 0 : 10}
      max={14_400}
      onChange={(points) => onSizes({ ...sizes, [key]: points ?? sizes[key] })}
    />
  );
  return (
    <Stack gap="xs">
      <Select
        label={t('impose.pagesFrom')}
        placeholder={t('impose.pagesAssumed')}
        clearable
        searchable
        value={sessionId}
        onChange={onSession}
        data={files.map((session) => ({ value: session.id, label: `${session.fileName} (${session.pageCount})` }))}
      />
      {sessionId === null && (
        <SimpleGrid cols={2}>
          <NumberInput
            label={t('impose.pageCount')}
            value={sizes.count}
            min={1}
            max={5000}
            allowDecimal={false}
            onChange={(count) => onSizes({ ...sizes, count: Math.max(1, Math.min(5000, Number(count) || 1)) })}
          />
          {size('width', t('impose.pageWidth'))}
          {size('height', t('impose.pageHeight'))}
          {size('bleed', t('impose.pageBleed'))}
        </SimpleGrid>
      )}
    </Stack>
  );
}
