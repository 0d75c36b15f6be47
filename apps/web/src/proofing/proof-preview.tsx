import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { proofProfileSchema } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay, useMe } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { type PreviewedProfile, type PreviewedScreen, screensOf } from '../client-proof/sample-proof.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { ProofFrame, previewScreens as screens } from './proof-frame.tsx';
import classes from './proof-preview.module.css';

/** Pause after the last change before the page is drawn anew, milliseconds. */
const pauseMilliseconds = 300;

type Screen = keyof typeof screens;
const screenIcons = { phone: IconDeviceMobile, desktop: IconDeviceDesktop } as const;

/** The policy that a profile without one goes by, where the reader may know it. */
function useHousePolicy(): PreviewedProfile['policy'] {
  const may = useMay();
  const { data } = useCall(systemRoutes.settings, undefined, { enabled: may('settings.view') });
  return data?.proofApprovalSettings.defaultApprovalMode ?? 'ConfirmIfWarnOrError';
}

/** The public page as readers of this profile will see it, with a sample file, while the form is filled in. */
export function ProofPreview({ settings }: { settings: Record<string, unknown> }) {
  const { t } = useTranslation();
  const [screen, setScreen] = useState<Screen>('phone');
  const [chosen, setChosen] = useState<PreviewedScreen>('proof');
  const policy = useHousePolicy();
  const title = useMe()?.subscriberName ?? '';
  const [asked] = useDebouncedValue(JSON.stringify(settings), pauseMilliseconds);
  const read = useMemo(() => proofProfileSchema.safeParse(JSON.parse(asked)), [asked]);
  const shown = read.success ? screensOf(read.data) : [];
  const page = shown.includes(chosen) ? chosen : 'proof';
  const given = useMemo(
    () => (read.success ? { settings: read.data, policy, house: { title, organization: null }, screen: page } : null),
    [read, policy, title, page],
  );
  return (
    <SectionCard title={t('proofing.preview')} text={t('proofing.previewText')}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('proofing.preview')}
          value={screen}
          onChange={(value) => setScreen(value as Screen)}
          data={(['phone', 'desktop'] as const).map((value) => {
            const Icon = screenIcons[value];
            return {
              value,
              label: (
                <span className={classes.screen}>
                  <Icon size={16} aria-hidden />
                  {t(`proofing.preview.${value}`)}
                </span>
              ),
            };
          })}
        />
        {shown.length > 1 && (
          <SegmentedControl
            aria-label={t('proofing.previewScreen')}
            value={page}
            onChange={(value) => setChosen(value as PreviewedScreen)}
            data={shown.map((value) => ({ value, label: t(`proofing.previewScreen.${value}`) }))}
          />
        )}
        {!read.success && <Text c="dimmed">{t('proofing.previewIncomplete')}</Text>}
        <ProofFrame {...screens[screen]} given={given} />
      </Stack>
    </SectionCard>
  );
}
