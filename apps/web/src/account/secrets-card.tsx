import { Button, Code, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { confirm } from '../frame/confirm.ts';
import { ListRows } from '../frame/list-rows.tsx';
import { SectionCard } from '../frame/section-card.tsx';
import { formatAgo } from '../language/formats.ts';

/** Fields shared by API keys and embed tokens; only the first characters of the secret are known. */
interface Secret {
  id: string;
  name: string;
  prefix: string;
  permissions: readonly unknown[];
  lastUsedAt: string | null;
}

interface Props<S extends Secret> {
  title: string;
  text: string;
  /** Label of the button and title of the form for a new one. */
  newOne: string;
  /** Shown when the list is empty. */
  none: string;
  /** The consequences of revoking, for the confirmation. */
  revokeText: string;
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  secrets: readonly S[] | undefined;
  /** A line below the name, and a note. */
  aboutOf?: (secret: S) => { line: string; note: string };
  onRevoke: (id: string) => void;
  /** The form for a new one. */
  form: (onClose: () => void) => ReactNode;
}

/** A list of API keys or embed tokens, with creation and revocation. */
export function SecretsCard<S extends Secret>({
  title,
  text,
  newOne,
  none,
  revokeText,
  icon: Icon,
  secrets,
  aboutOf,
  onRevoke,
  form,
}: Props<S>) {
  const { t } = useTranslation();
  const [isOpen, dialog] = useDisclosure();
  const revoke = async ({ id, name }: S) => {
    const isSure = await confirm({
      title: t('apiKeys.revokeTitle', { name }),
      text: revokeText,
      act: t('apiKeys.revoke'),
      isDangerous: true,
    });
    if (isSure) onRevoke(id);
  };
  return (
    <SectionCard
      title={title}
      text={text}
      action={
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={dialog.open}>
          {newOne}
        </Button>
      }
    >
      {secrets?.length === 0 && <Text c="dimmed">{none}</Text>}
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
        title={newOne}
        size="lg"
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {isOpen && form(dialog.close)}
      </Modal>
    </SectionCard>
  );
}
