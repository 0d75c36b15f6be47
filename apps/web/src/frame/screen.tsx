import { ActionIcon, Button, CopyButton, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconArrowLeft,
  IconCloudOff,
  IconCopy,
  IconError404,
  IconFilterOff,
  IconLock,
  IconMoodEmpty,
  IconRefresh,
} from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CallError, failureText } from '../client/call-error.ts';
import { formatTime } from '../language/formats.ts';
import { useAddress } from './embed.ts';
import { useFormDrawer } from './form-drawer.ts';
import { Hint } from './hint.tsx';
import type { ListAddress } from './list-address.ts';
import classes from './screen.module.css';
import { useRootMark } from './use-root-mark.ts';
import { useTitle } from './use-title.ts';

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;

/** State of a screen; all but `ready` replace its content. */
export type ScreenState =
  | { kind: 'ready'; staleSince?: number; error?: unknown; onRetry?: () => void }
  | { kind: 'loading' }
  | { kind: 'empty'; icon?: Icon; title: string; text?: string; action?: ReactNode }
  | { kind: 'noMatch'; onClear: () => void }
  | { kind: 'error'; error: unknown; onRetry?: () => void }
  | { kind: 'noPermission'; permission: string }
  | { kind: 'notFound' };

/** The screen's state for a query. After a failed refresh the old data stay, with their time. */
export function stateOf(query: UseQueryResult<unknown, Error>): ScreenState {
  const onRetry = () => void query.refetch();
  if (query.data !== undefined) {
    return query.error && !(query.error instanceof CallError && query.error.kind === 'signedOut')
      ? { kind: 'ready', staleSince: query.dataUpdatedAt, error: query.error, onRetry }
      : { kind: 'ready' };
  }
  const { error } = query;
  if (!error) return { kind: 'loading' };
  if (error instanceof CallError) {
    if (error.kind === 'signedOut') return { kind: 'loading' };
    const permission = error.errors.find((one) => one.code === 'access.denied')?.params?.permission;
    if (error.status === 403) return { kind: 'noPermission', permission: String(permission ?? '') };
    if (error.status === 404 || error.status === 410) return { kind: 'notFound' };
  }
  return { kind: 'error', error, onRetry };
}

interface ScreenProps {
  /** Heading and window title. */
  title: string;
  /** After the title: a status, a count. */
  aside?: ReactNode;
  back?: { to: string; label: string };
  actions?: ReactNode;
  /** Between the head and the content: search, filters, tabs. */
  toolbar?: ReactNode;
  state?: ScreenState;
  /** Placeholder of the content's size while loading. */
  skeleton?: ReactNode;
  children?: ReactNode;
}

/** The layout of every screen: a head, a toolbar and content in one of the states. */
export function Screen({
  title,
  aside,
  back,
  actions,
  toolbar,
  state = { kind: 'ready' },
  skeleton,
  children,
}: ScreenProps) {
  const drawer = useFormDrawer();
  const isLoading = state.kind === 'loading';
  useTitle(drawer ? '' : title);
  useRootMark('data-loading', isLoading && !drawer);
  return (
    <section className={classes.screen} aria-busy={isLoading}>
      <header className={classes.head}>
        {back && !drawer && (
          <ActionIcon component={Link} to={back.to} variant="subtle" color="neutral" aria-label={back.label} size="lg">
            <IconArrowLeft size={20} />
          </ActionIcon>
        )}
        <Title order={drawer ? 2 : 1} className={classes.title}>
          {title}
        </Title>
        {aside}
        {actions && <Group className={classes.actions}>{actions}</Group>}
      </header>
      {toolbar}
      {state.kind === 'ready' && state.staleSince !== undefined && <Stale state={state} />}
      {state.kind === 'ready' ? children : <Instead state={state} skeleton={skeleton} />}
    </section>
  );
}

function Stale({ state }: { state: Extract<ScreenState, { kind: 'ready' }> }) {
  const { t } = useTranslation();
  return (
    <div className={classes.stale} role="status">
      <IconCloudOff size={16} aria-hidden />
      <span>
        {failureText(state.error, t)}{' '}
        {t('state.staleSince', { time: formatTime(new Date(state.staleSince ?? 0).toISOString()) })}
      </span>
      <Button size="compact-sm" variant="subtle" color="warning" onClick={state.onRetry}>
        {t('common.retry')}
      </Button>
    </div>
  );
}

/** What stands instead of the content in each state but `ready`. */
export function Instead({ state, skeleton }: { state: Exclude<ScreenState, { kind: 'ready' }>; skeleton: ReactNode }) {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'loading':
      return <Late>{skeleton ?? <ListSkeleton />}</Late>;
    case 'empty':
      return (
        <Panel icon={state.icon ?? IconMoodEmpty} title={state.title} text={state.text}>
          {state.action}
        </Panel>
      );
    case 'noMatch':
      return (
        <Panel icon={IconFilterOff} title={t('state.noMatch')} text={t('state.noMatchText')}>
          <Button variant="default" onClick={state.onClear}>
            {t('common.clearFilters')}
          </Button>
        </Panel>
      );
    case 'noPermission':
      return (
        <Panel
          icon={IconLock}
          title={t('state.noPermission')}
          text={t('access.denied', { permission: state.permission })}
        />
      );
    case 'notFound':
      return (
        <Panel icon={IconError404} title={t('state.notFound')} text={t('resource.notFound')}>
          <HomeLink />
        </Panel>
      );
    case 'error':
      return <Failure error={state.error} onRetry={state.onRetry} />;
  }
}

/** An embedded page has no start page to link to. */
function HomeLink() {
  const { t } = useTranslation();
  const isEmbed = useAddress((address) => address.isEmbed);
  return isEmbed ? null : (
    <Button component={Link} to="/" variant="default">
      {t('common.home')}
    </Button>
  );
}

function Failure({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const requestId = error instanceof CallError ? error.requestId : null;
  return (
    <Panel icon={IconCloudOff} title={t('state.error')} text={failureText(error, t)} role="alert">
      {requestId && (
        <Group gap={4} justify="center">
          <Text size="xs" c="dimmed">
            {t('state.requestId')} <code>{requestId}</code>
          </Text>
          <CopyButton value={requestId}>
            {({ copied, copy }) => (
              <Hint label={t(copied ? 'common.copied' : 'common.copy')}>
                <ActionIcon size="sm" variant="subtle" color="neutral" onClick={copy} aria-label={t('common.copy')}>
                  <IconCopy size={14} />
                </ActionIcon>
              </Hint>
            )}
          </CopyButton>
        </Group>
      )}
      {onRetry && (
        <Button leftSection={<IconRefresh size={16} />} onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </Panel>
  );
}

interface PanelProps {
  icon: Icon;
  title: string;
  text?: string | undefined;
  role?: 'alert';
  children?: ReactNode;
}
function Panel({ icon: Icon, title, text, role, children }: PanelProps) {
  return (
    <Stack className={classes.panel} role={role}>
      <span className={classes.panelIcon}>
        <Icon size={28} stroke={1.6} aria-hidden />
      </span>
      <Title order={2} size="h3">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" maw={460}>
          {text}
        </Text>
      )}
      {children}
    </Stack>
  );
}

/** Shows nothing for 150 ms, so that fast answers do not flicker. */
function Late({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <span className="visually-hidden" role="status">
        {t('state.loading')}
      </span>
      {isLate && children}
    </>
  );
}

export function ListSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div className="card" aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.skeletonRow}>
          <Skeleton h={28} w={28} />
          <Skeleton h={12} w={`${30 - (row % 4) * 4}%`} />
          <Skeleton h={20} w={96} radius="xl" />
          <Skeleton h={12} w="16%" />
        </div>
      ))}
    </div>
  );
}

/** The state of a list: of its call, without a match, or `empty` where there is nothing at all. */
export const listState = (
  list: UseQueryResult<{ items: readonly unknown[] }, Error>,
  address: ListAddress,
  empty: Omit<Extract<ScreenState, { kind: 'empty' }>, 'kind'>,
): ScreenState => {
  if (list.data?.items.length !== 0) return stateOf(list);
  return address.isFiltered ? { kind: 'noMatch', onClear: address.clear } : { kind: 'empty', ...empty };
};
