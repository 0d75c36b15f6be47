import { ActionIcon, Button, Menu } from '@mantine/core';
import type { Session, SessionAction } from '@pdf2press/contract';
import { IconDots, IconDownload, IconSitemap } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { download } from '../client/call.ts';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { actionIcons, actOnSessions, useSessionActions } from './session-actions.ts';

/** Stand as buttons; the rest is in the menu. */
const inTheOpen: readonly SessionAction[] = ['stop', 'resume', 'restart'];

export function SessionActions({ session }: { session: Session }) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const actions = useSessionActions()([session]);
  const original = session.files.find((file) => file.kind === 'OriginalFile');
  const act = async (action: SessionAction) => {
    const isDone = await actOnSessions(t, action, [session]);
    if (isDone && action === 'delete') void navigate('/workflows/sessions');
  };
  const mayRestart = actions.some(({ action, refusal }) => action === 'restart' && refusal === null);
  useShortcuts(
    'keys.session',
    mayRestart ? [{ keys: 'r', label: 'sessions.action.restart', run: () => void act('restart') }] : [],
  );
  const open = actions.filter(({ action, refusal }) => inTheOpen.includes(action) && refusal === null);
  return (
    <>
      {may('workflows.view') && (
        <Button
          component={Link}
          to={`/workflows/view/${session.workflow.id}?session=${session.id}`}
          variant="default"
          leftSection={<IconSitemap size={16} />}
        >
          {t('session.showOnCanvas')}
        </Button>
      )}
      {open.map(({ action }) => {
        const Icon = actionIcons[action];
        return (
          <Button
            key={action}
            variant={action === 'restart' ? 'default' : 'filled'}
            leftSection={<Icon size={16} />}
            onClick={() => void act(action)}
          >
            {t(`sessions.action.${action}`)}
          </Button>
        );
      })}
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('list.actionsOf', { name: session.fileName })}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {original && may('sessions.files.download') && (
            <Menu.Item
              leftSection={<IconDownload size={16} />}
              onClick={() => download(original.downloadUrl, original.name).catch(notify.failure)}
            >
              {t('session.downloadOriginal')}
            </Menu.Item>
          )}
          {actions
            .filter(({ action, refusal }) => !inTheOpen.includes(action) || refusal !== null)
            .map(({ action, refusal }) => {
              const Icon = actionIcons[action];
              return (
                <Menu.Item
                  key={action}
                  {...(action === 'delete' ? { color: 'error' } : {})}
                  leftSection={<Icon size={16} />}
                  disabled={refusal !== null}
                  title={refusal ?? ''}
                  onClick={() => void act(action)}
                >
                  {t(`sessions.action.${action}`)}
                </Menu.Item>
              );
            })}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
