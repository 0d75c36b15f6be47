import { Alert, Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useElementSize } from '@mantine/hooks';
import { type AccountEvent, isAccountEvent, type Locale, locales, type MessageEvent } from '@pdf2press/contract';
import { communicationProfileRoutes } from '@pdf2press/contract/calls';
import { communicationProfileSchema } from '@pdf2press/steps/communication-profile';
import {
  IconDeviceDesktop,
  IconDeviceMobile,
  IconDeviceTablet,
  IconMoon,
  IconSend,
  IconSun,
} from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type ComponentType, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { failureText } from '../client/call-error.ts';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { languageNames } from '../language/language.ts';
import { SampleSession, useSampleSession } from '../rules/sample-session.tsx';
import classes from './communication.module.css';

/** Pause after the last change before the message is drawn anew, milliseconds. */
const pauseMilliseconds = 300;

/** Widths of what messages are read on, in pixels. */
const widths = { phone: 375, tablet: 640, desktop: 960 } as const;
type Width = keyof typeof widths;
const height = 520;

const scheme = '@media (prefers-color-scheme:dark)';
/** The page as a reader's program shows it whose colours are dark, or light, whatever this one's are. */
const seenIn = (html: string, isDark: boolean) => html.replace(scheme, isDark ? '@media all' : '@media not all');

const iconOf = (Icon: ComponentType<{ size: number; 'aria-hidden': true }>, label: string) => (
  <>
    <Icon size={16} aria-hidden />
    <span className="visually-hidden">{label}</span>
  </>
);

interface Props {
  settings: Record<string, unknown>;
  event: MessageEvent | AccountEvent;
  locale: Locale;
  onLocale: (locale: Locale) => void;
  mayTest: boolean;
}

/** The message of an event as it will be sent, drawn by the server, in a frame in which nothing can act. */
export function MessagePreview({ settings, event, locale, onLocale, mayTest }: Props) {
  const { t } = useTranslation();
  const [part, setPart] = useState<'html' | 'text'>('html');
  const [width, setWidth] = useState<Width>('phone');
  const [isDark, setDark] = useState(false);
  const session = useSampleSession('');
  const [asked] = useDebouncedValue(JSON.stringify(settings), pauseMilliseconds);
  const isComplete = useMemo(() => communicationProfileSchema.safeParse(JSON.parse(asked)).success, [asked]);
  const bodyOf = (of: string) => ({
    settings: JSON.parse(of) as Record<string, unknown>,
    event,
    locale,
    sessionId: session?.id ?? null,
  });
  const { data, error } = useQuery({
    queryKey: [communicationProfileRoutes.preview.path, asked, event, locale, session?.id],
    queryFn: ({ signal }) => call(communicationProfileRoutes.preview, { body: bodyOf(asked), signal }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
  });
  const test = useMutation({
    mutationFn: () => call(communicationProfileRoutes.test, { body: bodyOf(JSON.stringify(settings)) }),
    onSuccess: ({ to }) => notify.success(t('communication.tested', { to })),
    onError: notify.failure,
  });
  return (
    <SectionCard title={t('communication.preview', { event: t(`messageEvent.${event}`) })}>
      <Stack gap="sm">
        {!isAccountEvent(event) && <SampleSession workflowId="" />}
        <Group gap="xs" justify="space-between">
          <SegmentedControl
            size="xs"
            aria-label={t('communication.width')}
            value={width}
            onChange={(next) => setWidth(next as Width)}
            data={[
              { value: 'phone', label: iconOf(IconDeviceMobile, t('communication.width.phone')) },
              { value: 'tablet', label: iconOf(IconDeviceTablet, t('communication.width.tablet')) },
              { value: 'desktop', label: iconOf(IconDeviceDesktop, t('communication.width.desktop')) },
            ]}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('communication.scheme')}
            value={isDark ? 'dark' : 'light'}
            onChange={(next) => setDark(next === 'dark')}
            data={[
              { value: 'light', label: iconOf(IconSun, t('communication.scheme.light')) },
              { value: 'dark', label: iconOf(IconMoon, t('communication.scheme.dark')) },
            ]}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('communication.part')}
            value={part}
            onChange={(next) => setPart(next as 'html' | 'text')}
            data={[
              { value: 'html', label: t('communication.part.html') },
              { value: 'text', label: t('communication.part.text') },
            ]}
          />
          <Select
            size="xs"
            w={120}
            aria-label={t('communication.textIn')}
            data={locales.map((one) => ({ value: one, label: languageNames[one] }))}
            value={locale}
            allowDeselect={false}
            onChange={(chosen) => chosen && onLocale(chosen as Locale)}
          />
        </Group>
        {!isComplete && <Text c="dimmed">{t('communication.incomplete')}</Text>}
        {isComplete && error && <Text c="dimmed">{failureText(error, t)}</Text>}
        {data && (
          <>
            {data.isSent === false && (
              <Alert color="info" variant="light" p="xs">
                {t('communication.notSent')}
              </Alert>
            )}
            {data.recipients !== null && (
              <Text size="sm">
                {data.recipients.length > 0
                  ? t('communication.goesTo', { names: data.recipients.join(', ') })
                  : t('communication.goesToNobody')}
              </Text>
            )}
            <Text fw={600} data-message-subject>
              {data.subject}
            </Text>
            {part === 'text' ? (
              <pre className={classes.text}>{data.text}</pre>
            ) : (
              <Frame html={seenIn(data.html, isDark)} width={widths[width]} title={data.subject} />
            )}
          </>
        )}
        {mayTest && (
          <Button
            variant="default"
            leftSection={<IconSend size={16} aria-hidden />}
            loading={test.isPending}
            disabled={!isComplete}
            onClick={() => test.mutate()}
          >
            {t('communication.test')}
          </Button>
        )}
      </Stack>
    </SectionCard>
  );
}

/** A page at a width of its own, as small as the room is. The sandbox lets nothing in it run, open or send. */
function Frame({ html, width, title }: { html: string; width: number; title: string }) {
  const { ref, width: room } = useElementSize();
  const scale = room > 0 ? Math.min(1, room / width) : 1;
  return (
    <div ref={ref} className={classes.stage} style={{ blockSize: height }}>
      <iframe
        title={title}
        sandbox=""
        srcDoc={html}
        className={classes.frame}
        style={{ inlineSize: width, blockSize: height / scale, transform: `scale(${scale})` }}
      />
    </div>
  );
}
