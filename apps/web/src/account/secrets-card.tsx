import { Button, Code, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { apiKeyRoutes, embedTokenRoutes } from '@pdf2press/contract';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../client/call.ts';
import { invalidate } from '../client/queries.ts';
import { confirm } from '../frame/confirm.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { notify } from '../frame/toasts.tsx';
import { formatAgo } from '../language/formats.ts';

/** Fields shared by API keys and embed tokens; only the first characters of the secret are known. */
interface Secret {
  id: string;
  name: string;
  prefix: string;
  permissions: readonly unknown[];
  lastUsedAt: string | null;
}

/** The messages of each kind of secret. */
const wordsOf = {
  apiKeys: {
    title: 'apiKeys.title',
    text: 'apiKeys.text',
    new: 'apiKeys.new',
    none: 'apiKeys.none',
    revokeText: 'apiKeys.revokeText',
  },
  embedTokens: {
    title: 'embedTokens.title',
    text: 'embedTokens.text',
    new: 'embedTokens.new',
    none: 'embedTokens.none',
    revokeText: 'embedTokens.revokeText',
  },
} as const;

interface Props<S extends Secret> {
  of: keyof typeof wordsOf;
  routes: typeof apiKeyRoutes | typeof embedTokenRoutes;
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  secrets: readonly S[] | undefined;
  /** A line below the name, and a note. */
  aboutOf?: (secret: S) => { line: string; note: string };
  /** The form for a new one. */
  form: (onClose: () => void) => ReactNode;
}

/** A list of API keys or embed tokens, with creation and revocation. */
export function SecretsCard<S extends Secret>({ of, routes, icon: Icon, secrets, aboutOf, form }: Props<S>) {
  const { t } = useTranslation();
  const words = wordsOf[of];
  const [isOpen, dialog] = useDisclosure();
  const removal = useMutation({
    mutationFn: (id: string) => call(routes.revoke, { params: { id } }),
    onSuccess: () => invalidate(routes.list),
    onError: notify.failure,
  });
  const revoke = async ({ id, name }: S) => {
    const isSure = await confirm({
      title: t('apiKeys.revokeTitle', { name }),
      text: t(words.revokeText),
      act: t('apiKeys.revoke'),
      isDangerous: true,
    });
    if (isSure) removal.mutate(id);
  };
  return (
    <SectionCard
      title={t(words.title)}
      text={t(words.text)}
      action={
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={dialog.open}>
          {t(words.new)}
        </Button>
      }
    >
      {secrets?.length === 0 && <Text c="dimmed">{t(words.none)}</Text>}
      <ListRows>
        {secrets?.map((secret) => {
          const about = aboutOf?.(secret);
          return (
            <Group key={secret.id}>
              <Icon size={20} aria-hidden />
              <div style={{ flex: '1 1 160px', minInlineSize: 0, overflowWrap: 'anywhere' }}>
                <Text fw={500}>{secret.name}</Text>
                {about && <Text size="sm">{about.line}</Text>}
                <Text size="sm" c="dimmed">
                  <Code>{secret.prefix}…</Code>{' '}
                  {[
                    t('apiKeys.permissions', { count: secret.permissions.length }),
                    ...(about ? [about.note] : []),
                    secret.lastUsedAt
                      ? t('apiKeys.lastUsed', { when: formatAgo(secret.lastUsedAt) })
                      : t('apiKeys.neverUsed'),
                  ].join(' · ')}
                </Text>
              </div>
              <Button variant="light" color="error" size="xs" onClick={() => void revoke(secret)}>
                {t('apiKeys.revoke')}
              </Button>
            </Group>
          );
        })}
      </ListRows>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={t(words.new)}
        size="lg"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {isOpen && form(dialog.close)}
      </Modal>
    </SectionCard>
  );
}
