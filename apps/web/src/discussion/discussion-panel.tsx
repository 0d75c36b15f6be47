import { Button, Group, Select, Stack, Text } from '@mantine/core';
import type { Session } from '@pdf2press/contract';
import { discussionRoutes, sessionRoutes, systemRoutes } from '@pdf2press/contract/calls';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../account/use-me.ts';
import { call } from '../client/call.ts';
import { listenToSessions } from '../client/live.ts';
import { invalidate, useCall } from '../client/queries.ts';
import { Ago } from '../frame/ago.tsx';
import { notify } from '../frame/toasts.tsx';
import classes from './discussion.module.css';
import { MentionField } from './mention-field.tsx';
import { mentionsIn, textParts } from './mentions.ts';

/** Whose session it is, what people of the house wrote about it, and a field to write more. Customers see none of it. */
export function DiscussionPanel({ session }: { session: Session }) {
  const { t } = useTranslation();
  const params = { id: session.id };
  const comments = useCall(discussionRoutes.comments, { params });
  const team = useCall(discussionRoutes.team, undefined, { staleTime: 60_000 });
  const [text, setText] = useState('');
  useEffect(
    () =>
      listenToSessions((event) => {
        if (event.sessionId === session.id && event.kind === 'Commented') void invalidate(discussionRoutes.comments);
      }),
    [session.id],
  );
  useMarkRead(session.id);
  const send = useMutation({
    mutationFn: () =>
      call(discussionRoutes.comment, {
        params,
        body: { text, mentions: mentionsIn(text, team.data ?? []) },
      }),
    onSuccess: async () => {
      setText('');
      await invalidate(discussionRoutes.comments);
    },
    onError: notify.failure,
  });
  return (
    <Stack gap="md" p="md">
      {!session.isDeleted && <AssigneeField session={session} />}
      <ul className={classes.comments} aria-label={t('session.comments')}>
        {comments.data?.map((comment) => (
          <li key={comment.id}>
            <Group gap="xs">
              <Text fw={600} size="sm">
                {comment.author}
              </Text>
              <Text size="xs" c="dimmed">
                <Ago at={comment.at} />
              </Text>
            </Group>
            <p className={classes.text}>
              {textParts(comment.text, comment.mentions).map(({ text: part, isMention }, at) =>
                isMention ? <strong key={at}>{part}</strong> : part,
              )}
            </p>
          </li>
        ))}
      </ul>
      {comments.data?.length === 0 && <Text c="dimmed">{t('discussion.none')}</Text>}
      {!session.isDeleted && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') send.mutate();
          }}
        >
          <Stack gap="xs">
            <MentionField value={text} onChange={setText} team={team.data ?? []} />
            <Group justify="flex-end">
              <Button
                type="submit"
                leftSection={<IconSend size={16} />}
                loading={send.isPending}
                disabled={text.trim() === ''}
              >
                {t('discussion.send')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Stack>
  );
}

function AssigneeField({ session }: { session: Session }) {
  const { t } = useTranslation();
  const me = useMe();
  const team = useCall(discussionRoutes.team, undefined, { staleTime: 60_000 });
  const { assignee } = session;
  const assign = useMutation({
    mutationFn: (assigneeId: string | null) =>
      call(discussionRoutes.assign, {
        params: { id: session.id },
        body: { assigneeId },
      }),
    onSuccess: () => invalidate(sessionRoutes.get, sessionRoutes.list, sessionRoutes.events),
    onError: notify.failure,
  });
  const known = team.data ?? [];
  const isGone = assignee !== null && team.data !== undefined && !known.some(({ id }) => id === assignee.id);
  const ofKind = (kind: 'person' | 'role') =>
    known.filter((one) => one.kind === kind).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <Select
        label={t('field.assignee')}
        placeholder={t('discussion.nobody')}
        data={[
          ...(assignee && (isGone || !team.data)
            ? [
                {
                  value: assignee.id,
                  label: assignee.name ?? t('discussion.gone'),
                },
              ]
            : []),
          { group: t('discussion.people'), items: ofKind('person') },
          { group: t('discussion.roles'), items: ofKind('role') },
        ]}
        value={assignee?.id ?? null}
        onChange={(id) => assign.mutate(id)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('discussion.unassign') }}
        style={{ flex: 1 }}
      />
      {me && assignee?.id !== me.id && (
        <Button variant="default" onClick={() => assign.mutate(me.id)} loading={assign.isPending}>
          {t('discussion.assignToMe')}
        </Button>
      )}
    </Group>
  );
}

/** Whoever looks here has read what the bell says of it. */
function useMarkRead(sessionId: string) {
  const notices = useCall(systemRoutes.notifications, undefined, {
    staleTime: 30_000,
  });
  const unread = (notices.data ?? []).filter(
    ({ isRead, code, params }) =>
      !isRead && params.sessionId === sessionId && (code === 'session.mentioned' || code === 'session.assigned'),
  );
  const key = unread.map(({ id }) => id).join();
  useEffect(() => {
    if (key === '') return;
    void Promise.all(key.split(',').map((id) => call(systemRoutes.markNotificationRead, { params: { id } })))
      .then(() => invalidate(systemRoutes.notifications))
      .catch(notify.failure);
  }, [key]);
}
