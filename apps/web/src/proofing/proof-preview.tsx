import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useElementSize } from '@mantine/hooks';
import { proofProfileSchema } from '@pdf2press/contract';
import { systemRoutes } from '@pdf2press/contract/calls';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay, useMe } from '../account/use-me.ts';
import { useCall } from '../client/queries.ts';
import { type PreviewedProfile, type PreviewedScreen, screensOf } from '../client-proof/sample-proof.ts';
import { SectionCard } from '../frame/section-card.tsx';
import classes from './proof-preview.module.css';

/** Pause after the last change before the page is drawn anew, milliseconds. */
const pauseMilliseconds = 300;

/** Screens that the page is read on, in pixels. */
const screens = { phone: { width: 390, height: 664 }, desktop: { width: 1280, height: 800 } } as const;
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
  const house = useMe()?.subscriberName ?? '';
  const [asked] = useDebouncedValue(JSON.stringify(settings), pauseMilliseconds);
  const read = useMemo(() => proofProfileSchema.safeParse(JSON.parse(asked)), [asked]);
  const shown = read.success ? screensOf(read.data) : [];
  const page = shown.includes(chosen) ? chosen : 'proof';
  const given = useMemo(
    () => (read.success ? { settings: read.data, policy, house, screen: page } : null),
    [read, policy, house, page],
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
        <Frame {...screens[screen]} given={given} />
      </Stack>
    </SectionCard>
  );
}

interface FrameProps {
  width: number;
  height: number;
  given: PreviewedProfile | null;
}

/** The page in a frame as wide as the screen it stands for, made as small as the room is. */
function Frame({ width, height, given }: FrameProps) {
  const { t } = useTranslation();
  const { ref, width: room } = useElementSize();
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const hear = ({ origin, source, data }: MessageEvent) => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === 'ready') setReady(true);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);
  useEffect(() => {
    if (isReady && given) frame.current?.contentWindow?.postMessage(given, location.origin);
  }, [isReady, given]);
  const scale = room > 0 ? Math.min(1, room / width) : 1;
  return (
    <div ref={ref} className={classes.stage} style={{ blockSize: height * scale }}>
      <iframe
        ref={frame}
        title={t('proofing.preview')}
        src="/proofing-preview"
        className={classes.frame}
        style={{ inlineSize: width, blockSize: height, transform: `scale(${scale})` }}
      />
    </div>
  );
}
