import { ActionIcon, Button } from '@mantine/core';
import { type Session, type SessionAction, sessionActions } from '@pdf2press/contract';
import { IconDots, IconDownload, IconSitemap } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useMay } from '../account/use-me.ts';
import { download } from '../client/call.ts';
import { Hint } from '../frame/hint.tsx';
import { LateMenu } from '../frame/late-menu.tsx';
import { useShortcuts } from '../frame/shortcuts.ts';
import { notify } from '../frame/toasts.tsx';
import { answers, ask, isAsking } from './answers.ts';
import { actionIcons, actOnRows, isDangerous, useSessionActions } from './session-actions.ts';

/** Actions shown as buttons; the others are in the menu, answers to a hold in the hold bar. */
const inTheOpen: readonly SessionAction[] = ['stop', 'restart', 'downloadResult'];
const heldAnswers: readonly SessionAction[] = answers;

/** Variables are overwritten beside their values. */
type Offered = Exclude<SessionAction, 'overwriteVariables'>;
const offered = sessionActions.filter((action): action is Offered => action !== 'overwriteVariables');

export function SessionActions({ session }: { session: Session }) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const actions = useSessionActions(offered)([session]).filter(
    ({ action }) => session.status !== 'OnHold' || !heldAnswers.includes(action),
  );
  const original = session.files.findLast((file) => file.kind === 'OriginalFile');
  const act = async (action: Offered) => {
    if (isAsking(action)) return ask(action);
    const isDone = await actOnRows(t, action, [session]);
    if (isDone && action === 'delete') void navigate('/workflows/sessions');
  };
  const open = useSessionActions(offered)([session]).flatMap(({ action, refusal }) =>
    refusal === null ? [action] : [],
  );
  const goesOn = session.isStopped ? 'resume' : 'continue';
  useShortcuts('keys.session', [
    ...(open.includes('restart')
      ? [{ keys: 'r', label: 'sessions.action.restart', run: () => void act('restart') }]
      : []),
    ...(open.includes(goesOn) ? [{ keys: 'c', label: `sessions.action.${goesOn}`, run: () => void act(goesOn) }] : []),
  ]);
  const buttons = actions.filter(({ action }) => inTheOpen.includes(action) && open.includes(action));
  return (
    <>
      {may('workflows.view') && (
        <Hint label={t('session.showOnCanvas')}>
          <ActionIcon
            component={Link}
            to={`/workflows/view/${session.workflow.id}?session=${session.id}`}
            variant="default"
            size={36}
            aria-label={t('session.showOnCanvas')}
          >
            <IconSitemap size={18} />
          </ActionIcon>
        </Hint>
      )}
      {buttons.map(({ action }) => {
        const Icon = actionIcons[action];
        return (
          <Button
            key={action}
            variant={action === 'downloadResult' ? 'filled' : 'default'}
            leftSection={<Icon size={16} />}
            onClick={() => void act(action)}
          >
            {t(`sessions.action.${action}`)}
          </Button>
        );
      })}
      {!session.isDeleted && (
        <LateMenu
          button={(opener) => (
            <ActionIcon
              {...opener}
              variant="default"
              size={36}
              aria-label={t('list.actionsOf', { name: session.fileName })}
            >
              <IconDots size={18} />
            </ActionIcon>
          )}
          entries={() => [
            original !== undefined &&
              may('sessions.files.download') && {
                label: t('session.downloadOriginal'),
                icon: IconDownload,
                act: () => void download(original.downloadUrl, original.name).catch(notify.failure),
              },
            ...actions
              .filter(({ action, refusal }) => !inTheOpen.includes(action) && refusal === null)
              .map(({ action }) => ({
                label: `${t(`sessions.action.${action}`)}${isAsking(action) ? '…' : ''}`,
                icon: actionIcons[action],
                isDangerous: isDangerous(action),
                act: () => void act(action),
              })),
          ]}
        />
      )}
    </>
  );
}
